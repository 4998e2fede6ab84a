#!/usr/bin/env python3
"""Checks JSON files against a JSON Schema.

usage: validate.py SCHEMA FILE...

Knows the keywords that docs/plan.schema.json uses and refuses any other, so that
the tests need no package.
"""

import json
import re
import sys

ANNOTATIONS = {"$schema", "$defs", "title", "description"}
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
}


class Mismatch(Exception):
    pass


def check(value, schema, root, place):
    """Raises Mismatch where the value is not what the schema says."""
    for keyword, rule in schema.items():
        if keyword in ANNOTATIONS or keyword in ("required", "additionalProperties"):
            continue
        if keyword == "$ref":
            target = root
            for name in rule.lstrip("#/").split("/"):
                target = target[name]
            check(value, target, root, place)
        elif keyword == "type":
            if not isinstance(value, TYPES[rule]) or isinstance(value, bool):
                raise Mismatch(f"{place}: not of type {rule}")
        elif keyword == "const":
            if value != rule or type(value) is not type(rule):
                raise Mismatch(f"{place}: not {rule!r}")
        elif keyword == "enum":
            if value not in rule:
                raise Mismatch(f"{place}: {value!r} is none of {rule}")
        elif keyword == "pattern":
            if isinstance(value, str) and not re.search(rule, value):
                raise Mismatch(f"{place}: {value!r} does not match {rule}")
        elif keyword == "minimum":
            if value < rule:
                raise Mismatch(f"{place}: {value} is less than {rule}")
        elif keyword in ("minItems", "maxItems"):
            if len(value) < rule if keyword == "minItems" else len(value) > rule:
                raise Mismatch(f"{place}: has {len(value)} elements")
        elif keyword == "items":
            for i, item in enumerate(value):
                check(item, rule, root, f"{place}[{i}]")
        elif keyword == "properties":
            check_properties(value, schema, root, place)
        elif keyword in ("oneOf", "anyOf"):
            check_choice(value, rule, root, place, keyword == "oneOf")
        else:
            sys.exit(f"validate.py does not know the keyword {keyword}")


def check_properties(value, schema, root, place):
    if not isinstance(value, dict):
        raise Mismatch(f"{place}: not an object")
    for name in schema.get("required", []):
        if name not in value:
            raise Mismatch(f"{place}: {name} is missing")
    for name, item in value.items():
        if name in schema["properties"]:
            check(item, schema["properties"][name], root, f"{place}.{name}")
        elif schema.get("additionalProperties", True) is False:
            raise Mismatch(f"{place}: {name} is unknown")


def check_choice(value, choices, root, place, exactly_one):
    reasons = []
    for choice in choices:
        try:
            check(value, choice, root, place)
        except Mismatch as reason:
            reasons.append(str(reason))
    fitting = len(choices) - len(reasons)
    if fitting == 0:
        raise Mismatch(f"{place}: fits no choice: " + "; ".join(reasons))
    if exactly_one and fitting > 1:
        raise Mismatch(f"{place}: fits {fitting} choices")


def main():
    with open(sys.argv[1]) as file:
        schema = json.load(file)
    failed = 0
    for name in sys.argv[2:]:
        try:
            with open(name) as file:
                check(json.load(file), schema, schema, "plan")
            print(f"{name}: valid")
        except (Mismatch, json.JSONDecodeError) as reason:
            failed += 1
            print(f"{name}: {reason}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
