"""Validates JSON files by a JSON schema, with nothing but the standard library:

  validate.py SCHEMA FILE...

Knows the keywords that docs/plan.schema.json uses and refuses others.
"""

import json
import re
import sys

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
}
KEYWORDS = {
    "$schema", "$defs", "$ref", "title", "description", "type", "properties",
    "required", "additionalProperties", "items", "minItems", "maxItems", "enum",
    "const", "pattern", "minimum", "maximum", "oneOf",
}  # fmt: skip


def is_type(value, name):
    return isinstance(value, TYPES[name]) and not (
        name == "integer" and isinstance(value, bool)
    )


def faults(value, schema, root, where):
    """The places where `value` departs from `schema`, as messages."""
    unknown = set(schema) - KEYWORDS
    assert not unknown, f"keywords that this script does not know: {unknown}"
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        yield from faults(value, root["$defs"][name], root, where)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, t) for t in types):
        yield f"{where}: expected {' or '.join(types)}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{where}: expected {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: expected one of {schema['enum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: does not match {schema['pattern']}"
    if value < schema.get("minimum", value) if is_type(value, "integer") else False:
        yield f"{where}: less than {schema['minimum']}"
    if value > schema.get("maximum", value) if is_type(value, "integer") else False:
        yield f"{where}: more than {schema['maximum']}"
    if isinstance(value, dict):
        yield from object_faults(value, schema, root, where)
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{where}: has {len(value)} items"
        for i, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), root, f"{where}[{i}]")
    if "oneOf" in schema:
        found = [list(faults(value, s, root, where)) for s in schema["oneOf"]]
        if sum(not f for f in found) != 1:
            nearest = min(found, key=len)
            yield nearest[0] if nearest else f"{where}: matches several alternatives"


def object_faults(value, schema, root, where):
    for name in schema.get("required", []):
        if name not in value:
            yield f"{where}: lacks {name}"
    known = schema.get("properties", {})
    for name, item in value.items():
        if name in known:
            yield from faults(item, known[name], root, f"{where}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{where}: unknown key {name}"


def main():
    schema = json.load(open(sys.argv[1]))
    failed = False
    for path in sys.argv[2:]:
        found = list(faults(json.load(open(path)), schema, schema, "plan"))
        for fault in found:
            print(f"{path}: {fault}")
        print(f"{path}: {'invalid' if found else 'valid'}")
        failed |= bool(found)
    sys.exit(failed)


if __name__ == "__main__":
    main()
