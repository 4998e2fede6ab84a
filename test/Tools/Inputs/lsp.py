"""Opens the document on standard input in fusion-lsp-server and prints the
diagnostics that the server publishes."""

import json
import subprocess
import sys


def message(method, parameters, number=None):
    body = {"jsonrpc": "2.0", "method": method, "params": parameters}
    if number is not None:
        body["id"] = number
    text = json.dumps(body)
    return f"Content-Length: {len(text.encode())}\r\n\r\n{text}"


def main():
    document = {
        "uri": "test:///document.mlir",
        "languageId": "mlir",
        "version": 1,
        "text": sys.stdin.read(),
    }
    session = (
        message("initialize", {"processId": 1, "rootPath": "mlir", "capabilities": {}, "trace": "off"}, 0)
        + message("textDocument/didOpen", {"textDocument": document})
        + message("shutdown", None, 1)
        + message("exit", None)
    )
    done = subprocess.run(
        ["fusion-lsp-server"], input=session, capture_output=True, text=True, timeout=60
    )
    for part in done.stdout.split("Content-Length:"):
        if "publishDiagnostics" not in part:
            continue
        found = json.loads(part[part.index("{") :])["params"]["diagnostics"]
        print(f"diagnostics: {len(found)}")
        for diagnostic in found:
            print(diagnostic["message"])


if __name__ == "__main__":
    main()
