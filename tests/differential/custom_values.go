package main

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"unicode/utf8"

	kubejson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

var patterns = &comparison{
	name:     "patterns",
	about:    "a pattern of a CustomResourceDefinition and a text: whether it matches, by Go's regexp",
	letter:   'R',
	accepted: []string{"left-to-the-server"},
	generate: func(r *rand.Rand) [][]byte {
		pattern := pattern(r)
		return [][]byte{[]byte(pattern), []byte(matching(r, pattern))}
	},
	prepare: func(p *pair) bool {
		expression, err := regexp.Compile(string(p.parts[0]))
		if err != nil || len(p.parts[0]) == 0 || !utf8.Valid(p.parts[1]) {
			return false
		}
		p.theirs = yesNo(expression.Match(p.parts[1]))
		return true
	},
	compare: compareAnswers,
}

var formats = &comparison{
	name:     "formats",
	about:    "a format of a CustomResourceDefinition and a text: whether it has the format, by kube-openapi's strfmt",
	letter:   'F',
	accepted: []string{"left-to-the-server"},
	generate: func(r *rand.Rand) [][]byte {
		format := pick(r, formatNames...)
		return [][]byte{[]byte(format), []byte(formatted(r, format))}
	},
	prepare: func(p *pair) bool {
		if !utf8.Valid(p.parts[1]) || !enforcedFormats[strings.ReplaceAll(string(p.parts[0]), "-", "")] {
			return false
		}
		p.theirs = yesNo(strfmt.Default.Validates(string(p.parts[0]), string(p.parts[1])))
		return true
	},
	compare: compareAnswers,
}

var customValues = &comparison{
	name:     "custom values",
	about:    "a schema of a CustomResourceDefinition and an object: whether it is allowed, by kube-openapi's validate",
	letter:   'K',
	accepted: []string{"left-to-the-server"},
	generate: func(r *rand.Rand) [][]byte {
		schema := map[string]any{"type": "object", "properties": map[string]any{"spec": customSchema(r, 3)}}
		object := map[string]any{"apiVersion": "a/v1", "kind": "A", "spec": customValue(r, schema["properties"].(map[string]any)["spec"].(map[string]any), 4)}
		return [][]byte{marshal(schema), marshal(object)}
	},
	prepare: func(p *pair) bool {
		var schema spec.Schema
		var object any
		if json.Unmarshal(p.parts[0], &schema) != nil || kubejson.Unmarshal(p.parts[1], &object) != nil {
			return false
		}
		convertSchema(&schema)
		p.theirs = yesNo(validate.NewSchemaValidator(&schema, nil, "", strfmt.Default).Validate(object).IsValid())
		return true
	},
	compare: compareAnswers,
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		giveUp("%v", err)
	}
	return text
}

func compareAnswers(p *pair, answer []byte) reading {
	if string(answer) == "unknown" {
		return reading{accepted: []string{"left-to-the-server"}}
	}
	return reading{ours: string(answer), theirs: p.theirs.(string)}
}

// Patterns

var realPatterns = []string{
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
	`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`, `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
	`^https?://.*$`, `^(|[A-Z]{2,3})$`, `^\d+(s|m|h)$`, `^[^\s/]+/[^\s/]+$`, `^\w[\w.-]{0,62}\w?$`, `.*\.ya?ml$`, `^arn:aws[a-z-]*:.*`,
	`^(?:sha256:)?[a-f0-9]{64}$`, `^([a-z]([-a-z0-9]*[a-z0-9])?|\*)$`, `^[A-Za-z_][A-Za-z0-9_]*$`, `^$|^[a-z]+$`, `^(GET|POST)?$`, `^\S+$`, `^[^,]*$`,
	`^(0|(([0-9]+y)?([0-9]+w)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?))$`, `^/.*$`, `^0*[1-9]\d*$`, `^.{1,20}$`, `\A[[:alpha:]]\z`,
	`^(?i)[a-z]+$`, `^\p{L}+$`, `^[\p{L}]+$`, `\bfoo\b`, `^[äöü]+$`,
}

const patternBytes = "ab01A_-.^$|()[]{}*+?\\,dswDSW:/ \n"

func patternAtom(r *rand.Rand, depth int) string {
	if depth > 0 && once(r, 3) {
		return pick(r, "(", "(", "(?:", "(?:", "(?P<n>", "(?i:") + patternAlternatives(r, depth-1) + ")"
	}
	return pick(r, "a", "b", "ab", "0", "-", "/", ".", `\.`, `\d`, `\w`, `\s`, `\D`, `\W`, `\S`, `\-`, `\/`, `\_`, "[a-c]", "[^a-c]", `[\w.-]`, `[^\s/]`, "[]a]", "[^]a]",
		"[a^]", "[^^]", "[-a]", "[a-]", `[\]\[^-]`, `[\^]`, "[\\^-]", "[+--]", "[^-]", "[[a]", `[a\-z]`, `[\\a]`, `[^\\]`, "^", "$", `\A`, `\z`, " ", "é", `\x41`, `\n`, "[\\n ]", "{", "}", "]", ":", ",", "")
}

func patternAlternatives(r *rand.Rand, depth int) string {
	text := strings.Builder{}
	for range 1 + r.IntN(4) {
		text.WriteString(patternAtom(r, depth))
		if once(r, 3) {
			text.WriteString(pick(r, "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,3}", "{1,}", "{0,1}", "{,2}", "{2,1}", "{0}", "{01}", "{ 1}", "{2,3}?"))
		}
		if once(r, 5) {
			text.WriteString("|")
		}
	}
	return text.String()
}

func pattern(r *rand.Rand) string {
	made := patternAlternatives(r, 3)
	if once(r, 3) {
		made = pick(r, realPatterns...)
	} else if once(r, 2) {
		made = "^" + made + "$"
	}
	if once(r, 4) {
		made = mutateBytes(r, made, patternBytes)
	}
	return made
}

// matching makes a text that may match the pattern, of its own characters.
func matching(r *rand.Rand, pattern string) string {
	if once(r, 2) {
		return pick(r, "", "a", "web", "web-1", "a.b.c", "10m", "1.5h", "https://x/y", "sha256:"+strings.Repeat("a0", 32), "A_b", "/x", "a b", "ä", "a\nb", "GET", "x.yaml", "foo", "100Mi")
	}
	text := strings.Builder{}
	for range r.IntN(8) {
		if once(r, 3) && pattern != "" {
			text.WriteByte(pick(r, []byte(pattern)...))
		} else {
			text.WriteString(pick(r, "a", "b", "c", "0", "1", "A", "-", ".", "/", "_", "\n", " ", "é", "^", "$", "]", "[", "\\"))
		}
	}
	return text.String()
}

// Formats

var formatNames = []string{
	"bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5", "isbn", "isbn10", "isbn13", "creditcard", "ssn",
	"hexcolor", "rgbcolor", "byte", "password", "date", "duration", "datetime", "date-time", "k8s-short-name", "k8s-long-name",
}

var formattedTexts = []string{
	"", "0123456789abcdef01234567", "https://example.com/a?b#c", "http://a:80", "mailto:a@b", "/a/b", "*", "a:b", "http://[::1]/", "http://u@h/", "http://a b/", "//a", "http:///x", "1a:b", "http://a/%zz", "http://a/%20",
	"a@b", "a@b.c", "A <a@b.c>", "a.b@c", ".a@b", "a", "a@", "\"a b\"@c", "example.com", "a-.b", "-a.com", "a.b", "a", "a.b1", "x--y.com", "1.2.3.4", "01.02.03.04", "256.1.1.1", "1.2.3", "::1", "::", "1::2:3", "::ffff:1.2.3.4",
	"::ffff:01.2.3.4", "00001::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "fe80::1%eth0", "10.0.0.0/8", "10.0.0.0/33", "10.0.0.0/08", "::/0", "::/129", "1.2.3.4/", "00:00:5e:00:53:01", "02:00:5e:10:00:00:00:01",
	"00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01", "00-00-5e-00-53-01", "0000.5e00.5301", "0200.5e10.0000.0001", "0000.0000.fe80.0000.0000.0000.0200.5e10.0000.0001", "00:00-5e:00:53:01",
	"6f9619ff-8b86-d011-b42d-00cf4fc964ff", "6f9619ff8b864011b42d00cf4fc964ff", "6F9619FF-8B86-4011-842D-00CF4FC964FF", "6f9619ff-8b86-3011-b42d-00cf4fc964ff", "6f9619ff-8b86-5011-b42d-00cf4fc964ff",
	"0321751043", "978-0321751041", "4220855426222389", "123-45-6789", "123456789", "123 45 6789", "#fff", "fff", "#ffffff", "#ffff", "rgb(0,31,255)", "rgb( 1, 2 , 3 )", "rgb(1,2,256)", "YWJj", "YWI=", "YQ==", "YQ=", "YQ", "Y Q=", "YW\nJj",
	"2006-01-02", "2006-1-2", "2020-02-29", "2021-02-29", "2006-13-01", "2006-01-02T15:04:05Z", "2006-01-02t15:04:05.123z", "2006-01-02T15:04:05+01:00", "2006-01-02T24:00:00Z", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z", "2006-01-02T15:04:05Ztt",
	"2006-01-02T15:04:60Z", "2006-01-02T15:04:05,5Z", "10s", "1h30m", "1.5h", "0", "-0", "+5m", "10", "5 days", "1 week", "3 fortnights", "1.h", ".5s", "1d", "2 hrs", "2 hr", "10 secs", "5ss", "100 millis", "99999999999h", "99999999999999999999s", "1 µs", "1us",
	"web", "web-1", "Web", "-web", "a.b.c", "a..b", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127) + "a", "größe", "größe.de", "a$b", "a.é",
}

func formatted(r *rand.Rand, format string) string {
	text := pick(r, formattedTexts...)
	if once(r, 2) {
		text = mutateBytes(r, text, "0159afAFzZgGtT:.-/ +,%@#=()\n_~é")
	}
	return text
}

// Schemas

var enforcedFormats = map[string]bool{}

func init() {
	for _, name := range formatNames {
		enforcedFormats[strings.ReplaceAll(name, "-", "")] = true
	}
}

// convertSchema does what the API server does with a schema before it validates by it.
func convertSchema(s *spec.Schema) {
	if either, _ := s.Extensions.GetBool("x-kubernetes-int-or-string"); either {
		s.Type = spec.StringOrArray{"integer", "string"}
	}
	// Numbers of enumerations are integers if they are whole.
	var enum []any
	if kubejson.Unmarshal(marshal(s.Enum), &enum) == nil {
		s.Enum = enum
	}
	switch kind := strings.Join(s.Type, ","); {
	case kind == "integer" && (s.Format == "int32" || s.Format == "int64"), kind == "number" && (s.Format == "float" || s.Format == "double"),
		(kind == "" || kind == "string" || kind == "integer,string") && enforcedFormats[strings.ReplaceAll(s.Format, "-", "")]:
	default:
		s.Format = ""
	}
	for _, schemas := range [][]spec.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range schemas {
			convertSchema(&schemas[i])
		}
	}
	for name, property := range s.Properties {
		convertSchema(&property)
		s.Properties[name] = property
	}
	if s.Not != nil {
		convertSchema(s.Not)
	}
	if s.Items != nil {
		convertSchema(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		convertSchema(s.AdditionalProperties.Schema)
	}
}

var kinds = []string{"string", "string", "integer", "number", "boolean", "object", "object", "array", "either"}

// customSchema is structural: what is nested in alternatives only restricts values.
func customSchema(r *rand.Rand, depth int) map[string]any {
	kind := pick(r, kinds...)
	for depth == 0 && (kind == "object" || kind == "array") {
		kind = pick(r, kinds...)
	}
	schema := map[string]any{"type": kind}
	switch kind {
	case "either":
		delete(schema, "type")
		schema["x-kubernetes-int-or-string"] = true
		if once(r, 3) {
			schema["anyOf"] = []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}
		}
	case "object":
		if once(r, 4) {
			schema["additionalProperties"] = customSchema(r, depth-1)
		} else {
			properties := map[string]any{}
			for _, name := range []string{"a", "b", "c"} {
				if once(r, 2) {
					properties[name] = customSchema(r, depth-1)
				}
			}
			schema["properties"] = properties
		}
	case "array":
		schema["items"] = customSchema(r, depth-1)
	}
	if once(r, 6) {
		schema["nullable"] = true
	}
	restrict(r, schema, kind, schema, 2)
	return schema
}

// restrict adds what only restricts values of a kind.
func restrict(r *rand.Rand, schema map[string]any, kind string, structure map[string]any, depth int) {
	if once(r, 6) {
		schema["enum"] = pick(r, []any{"a", "web", 1}, []any{1, 2.5, "10m"}, []any{true, "1.2.3.4"}, []any{[]any{"a"}, map[string]any{"a": "a"}, 0}, []any{nil, "a"})
	}
	switch kind {
	case "string", "either":
		if once(r, 2) {
			schema["pattern"] = pick(r, realPatterns...)
		}
		if once(r, 3) {
			schema["format"] = pick(r, append(formatNames, "int32", "other")...)
		}
		if once(r, 4) {
			schema[pick(r, "minLength", "maxLength")] = r.IntN(5)
		}
	case "object":
		if once(r, 4) {
			schema[pick(r, "minProperties", "maxProperties")] = r.IntN(3)
		}
		if once(r, 3) {
			schema["required"] = []any{pick(r, "a", "b", "c")}
		}
		properties, _ := structure["properties"].(map[string]any)
		if depth < 2 && len(properties) > 0 {
			within := map[string]any{}
			for name, property := range sortedMembers(properties) {
				if once(r, 2) {
					within[name] = restriction(r, property.(map[string]any), depth)
				}
			}
			schema["properties"] = within
		}
	case "array":
		if once(r, 4) {
			schema[pick(r, "minItems", "maxItems")] = r.IntN(3)
		}
		if depth < 2 && once(r, 2) {
			schema["items"] = restriction(r, structure["items"].(map[string]any), depth)
		}
	}
	if kind == "integer" || kind == "number" || kind == "either" {
		for _, name := range []string{"minimum", "maximum", "multipleOf"} {
			if once(r, 3) {
				schema[name] = pick[any](r, 1, 2, 3, 2.5, -1.5, 10, 0.5, 100, 1e10)
			}
		}
		if once(r, 3) {
			schema[pick(r, "exclusiveMinimum", "exclusiveMaximum")] = true
		}
		if once(r, 3) {
			schema["format"] = pick(r, "int32", "int64", "float", "double", "ipv4")
		}
	}
	if depth == 0 {
		return
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		if _, has := schema[name]; !has && once(r, 4) {
			var branches []any
			for range 1 + r.IntN(3) {
				branches = append(branches, restriction(r, structure, depth-1))
			}
			schema[name] = branches
		}
	}
	if once(r, 6) {
		schema["not"] = restriction(r, structure, depth-1)
	}
}

func restriction(r *rand.Rand, structure map[string]any, depth int) map[string]any {
	schema := map[string]any{}
	kind, _ := structure["type"].(string)
	if kind == "" {
		kind = "either"
	}
	restrict(r, schema, kind, structure, min(depth, 1))
	return schema
}

// customValue is a value of the schema's types, but for a few; typed_check finds others before.
func customValue(r *rand.Rand, schema map[string]any, depth int) any {
	kind, _ := schema["type"].(string)
	if once(r, 20) {
		return nil
	}
	switch kind {
	case "string":
		return customText(r)
	case "integer", "number":
		return customNumber(r)
	case "boolean":
		return once(r, 2)
	case "array":
		list := []any{}
		for range r.IntN(4) {
			list = append(list, customValue(r, schema["items"].(map[string]any), depth-1))
		}
		return list
	case "object":
		object := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		others, _ := schema["additionalProperties"].(map[string]any)
		for _, name := range []string{"a", "b", "c"} {
			if property, has := properties[name].(map[string]any); has && !once(r, 4) {
				object[name] = customValue(r, property, depth-1)
			} else if others != nil && once(r, 2) {
				object[name] = customValue(r, others, depth-1)
			}
		}
		return object
	}
	return pick[any](r, customText(r), customNumber(r), customNumber(r), once(r, 2))
}

func customText(r *rand.Rand) string {
	if once(r, 3) {
		return pick(r, formattedTexts...)
	}
	return matching(r, "")
}

func customNumber(r *rand.Rand) any {
	return pick[any](r, 0, 1, 2, 3, 4, 5, 10, -1, -3, 2.5, 1.5, 0.5, 7.5, 1.0000000001, int64(1)<<31, int64(1)<<53+1, 1e19, 1e39, 100, 2147483647)
}
