"""drawn_schemas.py: schemas of CustomResourceDefinitions and values for them, drawn at random: types, and all that restricts values."""

PATTERNS = (
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",
    "^https?://.*$", "^(|[A-Z]{2,3})$", r"\d+(s|m|h)$", r"^[^\s/]+/[^\s/]+$", r"^\w[\w.-]{0,62}?\w?$", r".*\.ya?ml$", "^$|^[a-z]+$", "^.{1,20}$", r"[\]^-]",
    "^(?i)[a-z]+$", r"^\p{L}+$", r"a\b")
FORMATS = (
    "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5", "isbn", "creditcard", "ssn", "hexcolor",
    "rgbcolor", "byte", "password", "date", "duration", "date-time", "k8s-short-name", "k8s-long-name", "int32", "other")
TEXTS = (
    "", "a", "web", "web-1", "a.b.c", "10m", "1.5h", "https://x/y", "A", "a b", "ä", "a\nb", "GB", "x/y", "a.yaml", "5", "a-", "0123456789abcdef01234567",
    "http://[::1]/", "a@b.c", "a@", "1.2.3.4", "01.2.3.4", "1.2.3", "::1", "::ffff:01.2.3.4", "10.0.0.0/8", "10.0.0.0/33", "00:00:5e:00:53:01", "0000.5e00.5301",
    "6f9619ff-8b86-4011-842d-00cf4fc964ff", "123-45-6789", "#fff", "rgb(0,31,255)", "YQ==", "YQ=", "2006-01-02", "2021-02-29", "2006-01-02T15:04:05Z",
    "2006-01-02T15:04:05", "2 days", "3 fortnights", "0", "a" * 64, "größe")
NUMBERS = (0, 1, 2, 3, 4, 5, 10, -1, -3, 2.5, 1.5, 0.5, 7.5, 1 << 31, (1 << 53) + 1, 100)
ENUMERATIONS = (["a", "web", 1], [1, 2.5, "10m"], [True, "1.2.3.4"], [["a"], {"a": "a"}, 0])


class Schemas:
    def __init__(self, dice):
        self.dice = dice

    def once(self, times):
        return self.dice.randrange(times) == 0

    def schema(self, depth=2):
        kind = self.dice.choice(("string", "string", "integer", "number", "boolean", "either") + ("object", "object", "array") * (depth > 0))
        schema = {"x-kubernetes-int-or-string": True} if kind == "either" else {"type": kind}
        if kind == "either" and self.once(3):
            schema["anyOf"] = [{"type": "integer"}, {"type": "string"}]
        if kind == "array":
            schema["items"] = self.schema(depth - 1)
        if kind == "object" and self.once(4):
            schema["additionalProperties"] = self.schema(depth - 1)
        elif kind == "object":
            schema["properties"] = {name: self.schema(depth - 1) for name in "abc" if self.once(2)}
            schema["properties"]["d"] = {"type": "string", "default": "x"}
        if self.once(6):
            schema["nullable"] = True
        self.restrict(schema, schema, 2)
        return schema

    def restriction(self, structure, depth):
        schema = {}
        self.restrict(schema, structure, depth)
        return schema

    def restrict(self, schema, structure, depth):
        """Adds to a schema what restricts values; `structure` says their types."""
        kind = structure.get("type", "either")
        if self.once(6):
            schema["enum"] = self.dice.choice(ENUMERATIONS)
        getattr(self, f"restrict_{kind}")(schema, structure, depth)
        if kind in ("integer", "number", "either"):
            self.restrict_numbers(schema)
        for name in ("allOf", "anyOf", "oneOf") if depth else ():
            if name not in schema and self.once(4):
                schema[name] = [self.restriction(structure, depth - 1) for _ in range(self.dice.randint(1, 3))]
        if depth and self.once(6):
            schema["not"] = self.restriction(structure, depth - 1)

    def restrict_string(self, schema, *_):
        if self.once(2):
            schema["pattern"] = self.dice.choice(PATTERNS)
        if self.once(3):
            schema["format"] = self.dice.choice(FORMATS)
        if self.once(4):
            schema[self.dice.choice(("minLength", "maxLength"))] = self.dice.randrange(5)

    restrict_either = restrict_string

    def restrict_numbers(self, schema):
        for name in ("minimum", "maximum", "multipleOf"):
            if self.once(3):
                schema[name] = self.dice.choice((1, 2, 3, 2.5, 10, 0.5, 100))
        if self.once(3):
            schema[self.dice.choice(("exclusiveMinimum", "exclusiveMaximum"))] = True
        if self.once(3):
            schema["format"] = self.dice.choice(("int32", "int64", "float", "ipv4"))

    def restrict_integer(self, *_):
        pass

    restrict_number = restrict_boolean = restrict_integer

    def restrict_object(self, schema, structure, depth):
        if self.once(4):
            schema[self.dice.choice(("minProperties", "maxProperties"))] = self.dice.randrange(4)
        if self.once(3):
            schema["required"] = [self.dice.choice("abcd")]
        if schema is not structure and "properties" in structure:
            schema["properties"] = {
                name: self.restriction(property, min(depth, 1)) for name, property in structure["properties"].items() if self.once(2)}

    def restrict_array(self, schema, structure, depth):
        if self.once(4):
            schema[self.dice.choice(("minItems", "maxItems"))] = self.dice.randrange(3)
        if schema is not structure and self.once(2):
            schema["items"] = self.restriction(structure["items"], min(depth, 1))

    def value(self, schema):
        """A value of the schema's types, as a rule."""
        kind = schema.get("type", "either")
        if kind == "array":
            return [self.value(schema["items"]) for _ in range(self.dice.randrange(3))]
        if kind == "object":
            members = schema.get("properties") or dict.fromkeys("abc", schema.get("additionalProperties"))
            return {name: self.value(member) for name, member in members.items() if member and self.once(2)}
        choices = {"string": [TEXTS], "boolean": [(True, False)], "either": [TEXTS, NUMBERS, NUMBERS, (True,)]}
        return self.dice.choice(self.dice.choice(choices.get(kind, [NUMBERS])))
