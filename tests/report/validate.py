"""Checks a report against its schema: run with the Python that `schemas` keeps.

    validate.py sarif|junit SCHEMA < REPORT
"""
import json
import sys


def validate_sarif(schema, report):
    import jsonschema
    schema = json.load(open(schema, encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)
    # The schema is of draft 4, which had no uri-reference yet, and uses it. Without the library that knows URIs, both would be
    # passed over.
    checker = jsonschema.Draft7Validator.FORMAT_CHECKER
    assert {"uri", "uri-reference"} <= set(checker.checkers), "rfc3987 is missing"
    validator.check_schema(schema)
    for error in validator(schema, format_checker=checker).iter_errors(json.loads(report)):
        yield f"{error.json_path}: {error.message[:300]}"


def validate_junit(schema, report):
    from lxml import etree
    xsd = etree.XMLSchema(etree.parse(schema))
    if not xsd.validate(etree.fromstring(report)):
        yield from (str(error) for error in xsd.error_log)


validate = {"sarif": validate_sarif, "junit": validate_junit}[sys.argv[1]]
print("\n".join(validate(sys.argv[2], sys.stdin.buffer.read())))
