package main

import (
	"math/rand/v2"
	"strings"
	"sync/atomic"
)

// What people write, and what once was read in two ways: one case after another, then from the start.
var manifestCases = &comparison{
	name:   "manifest cases",
	about:  "inputs written by hand: the objects of each, by kubectl's own reader",
	letter: 'M',
	generate: func(r *rand.Rand) [][]byte {
		next := int(manifestCase.Add(1)-1) % (len(manifestTexts) + len(manifestScalars))
		if next < len(manifestTexts) {
			return [][]byte{[]byte(manifestTexts[next])}
		}
		return [][]byte{[]byte(head + "x: " + manifestScalars[next-len(manifestTexts)] + "\n")}
	},
	accepted: []string{"flow-colon", "byte-order-mark", "escaped-quote", "no-version", "hidden-by-duplicate", "two-readings", "empty-namespace", "behind-the-end"},
	prepare:  prepareManifest,
	compare:  compareManifests,
}

var manifestCase atomic.Int64

const head = "apiVersion: v1\nkind: A\n"

var manifestScalars = []string{
	"y", "Y", "n", "N", "yes", "No", "on", "OFF", "oN", "true", "True", "TRUE", "tRUE", "~", "null", "NULL", "nUll", "",
	"0777", "0o777", "0O7", "-0o17", "+07", "0x1F", "0X1f", "-0x8000000000000000", "-0x8000000000000001", "0b101", "0B1", "0b-1",
	"0b+1", "-0b1", "-0b-1", "0b", "0x", "0o", "0o8", "08", "09.5", "00", "-00", "1_000", "1__0_", "_1", "0_7", "0x_1F", "1_e3",
	"1e3", "1E3", "1e+3", "1e-3", "1.e3", ".5e3", "e3", "1e", "1e400", "-1e400", "1e-400", "5e-324", "4.9e-324", "2.2250738585072011e-308",
	"1.0", "1.10", ".5", "5.", ".", "..", "+.5", "-.5", "+12", "-0", "-0.0", "+", "-", "--1", "1-", "1.2.3", "0.1", "100000000000000000000.5",
	"1e20", "1e21", "123456789012345678901234567890", "9007199254740993", "9007199254740993.0", "9223372036854775807", "9223372036854775808",
	"18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "1e-6", "1e-7", "0.000001", "1.7976931348623157e308",
	".inf", "-.inf", "+.Inf", ".INF", ".iNF", ".nan", ".NaN", "inf", "NaN",
	"22:30", "1:30:15", "190:20:30", "1:60", "1:2.5", "2001-01-01", "2001-1-1", "2001-13-01", "2001-02-30", "2001-01-01T00:00:00Z",
	"2001-01-01t1:2:3.5+01:00", "2001-01-01 10:20:30", "2001-01-01   10:20:30.123", "2001-01-01T10:20:30", "!!timestamp 2001-01-01",
	"!!timestamp x", "!!str 12", "!!str", "!!int 12", "!!int \"12\"", "!!int 1.5", "!!int x", "!!float 12", "!!float 0x10", "!!float 1.5", "!!float x",
	"!!bool y", "!!bool 1", "!!null ~", "!!null x", "!!null", "!mine 12", "!mine {a: 1}", "!!map [1]", "!!seq {a: 1}", "!!set {a, b}", "! 12", "! \"12\"", "!<tag:yaml.org,2002:int> 7",
	"!!binary aGk=", "!!binary aGk", "!!binary \"aG k=\"", "!!binary \"aG\\nk=\"", "!!binary /w==", "!!binary =", "!!merge <<", "!foo!bar 1", "!!",
	"<<", "{<<: 1}", "{<<: {a: 1}, b: 2}", "{a: 3, <<: {a: 1}}", "{<<: [{a: 1}, {a: 2, b: 2}]}", "{<<: [1]}", "{\"<<\": {a: 1}}", "{? << : {a: 1}}", "{<<: null}", "{<<: [[{a: 1}]]}",
	"{1: a, \"1\": b}", "{1: a, \"1\": b, y: a, \"true\": b, 2: a, 02: b, \"2\": c}", "{y: 1, \"true\": 2, 0.5: 1, \"0.5\": 2}", "{a: .inf, a: 1}", "{1: a, 1.5: b, y: c, 0777: d}", "{1234567.5: a}", "{1e30: a}", "{1e300: a}", "{.inf: a, -.inf: b}", "{.nan: a}", "{~: a}", "{null: a}", "{\"null\": a}", "{2001-01-01: a}",
	"{18446744073709551615: a}", "{!!binary aGk=: a}", "{[a]: b}", "{{a: b}: c}", "{b: 1, a: 2, b: 3}", "{a: 1, \"a\": 2}", "{a}", "{a, b: }", "[a, b: c]", "[? a : b]", "{? a}", "{: a}", "{a:}", "{a: ,}", "[,]", "[a,,b]",
	"{a:1}", "{a:b, c:d}", "{\"a\":1}", "{\"a\":b}", "{a: b?}", "[a?b]", "[?b]", "[http://x/?a=b]", "[http://x:80/a]", "{a: http://x}", "[a:, b]", "[10.0.0.1, fd00::]", "[fd00::, ff02::1]", "[fd00::]", "[a: , b]", "{a::, b: c}", "{a: fd00::}", "{a: fd00::, \"b\":[1]}", "[a:[1]]", "[a:{b: 1}]", "{\"a\":[1], b: c:}", "[\"a\":[1], c:]", "['a':{}, c:]", "[&a a, *a : b, c:]", "[!!str a:, b]", "[::]", "[::1]", "[a::::]", "[a/:]", "[a\":]", "[a b:, c]", "[# a:]\n  b:]", "[\"a:,\", b:]", "['a:]', b:]", "[a:\n  ]", "[a:?]", "{a:?b}", "[a\ue000:, b:]", "[https://a/b:]", "[-1, - 2]", "[-]",
	"&a 1", "[&a 1, *a]", "[*a]", "&a [*a]", "[&a {k: 1}, *a, {<<: *a, l: 2}]", "[&a 1, &a 2, *a]", "{&a 1: *a}", "[&a k, {*a : v}]", "[&a {b: 1}, {*a : v}]", "[&a .inf, {*a : v}]", "{&a <<: {b: 1}, c: *a}",
	"'it''s'", "'a\n  b'", "\"a\\/b\"", "\"a\\'b\"", "\"\\x41\\u00e9\\U0001F600\"", "\"\\ud800\"", "\"\\0\\a\\b\\e\\f\\v\\N\\_\\L\\P\\ \\\t\"", "\"a\\\n   b\"", "\"a\n\n  b\"", "\"\\q\"",
	"|\n  a\n  b\n", "|-\n  a\n", "|+\n  a\n\n", ">\n  a\n  b\n\n  c\n", ">-\n  a\n   b\n  c\n", "|2\n    a\n", "|1-\n a\n", "|0\n a\n", "| # c\n  a\n", "|x\n  a\n", "|\n\ta\n", "|\n   a\n  b\n", "|\na\n", "a\n  b\n\n  c", "a\n\tb",
	"a #b", "a#b", "#a", "a: b", "a:b", "\"a\": b", "- a", "@a", "`a`", "%a", "\ta", "a\tb", "'a' b", "[a] b", "a,b", "a]", "]", "}",
	"\"<&>\\u2028\\u007f\"", "\u2028", "a\u2028b", "\u0085", "a\u0085  b", "\ufeffa", "a\x00b", "a\x07b", "\x7f", "\U0001F600", "\ud7ff", "\ufffe", "é: ü",
}

const one, two = `{"kind":"A","apiVersion":"v1","n":1}`, `{"kind":"A","apiVersion":"v1","n":2}`

// As kubectl get -o kyaml prints.
const kyaml = `---
{
  apiVersion: "v1",
  kind: "Service", # a comment
  metadata: {
    name: "a",
    labels: {
      "no": "yes",
      app: "a",
    },
  },
  spec: {
    clusterIPs: [
      "10.0.0.1",
      "fd00::1",
    ],
    ports: [{
      port: 80,
      targetPort: "http",
    }, {
      port: 443,
    }],
    selector: {},
    text: "a\\n\\
         b",
  },
}
`

var manifestTexts = []string{
	kyaml, kyaml + kyaml, kyaml + head, head + kyaml, strings.ReplaceAll(kyaml, "\"", ""), strings.ReplaceAll(kyaml, ": ", ":"), strings.ReplaceAll(kyaml, "\n", " "), strings.ReplaceAll(kyaml, "},", "}"),
	"", "\n", " ", "\t", "#", "---", "---\n", "---\n---\n", "null", "~", "...", "--- \n...\n", "a", "[]", "{}", "5", "\"a\"", "- a\n- b\n",
	head, "---\n" + head, head + "---", head + "---\n" + head, head + "--- # c\n" + head, head + "---\t\n" + head, head + "--- x\n" + head, head + "---x\n" + head, head + "----\n" + head,
	head + " ---\n" + head, head + "...\n" + head, head + "...\n" + strings.Repeat("a\n", 1000) + "\x07\n", head + "...\n", head + "... # c\n---\n" + head, head + "...x\n", "--- {apiVersion: v1, kind: A}\n", "---\n# c\n---\n" + head, head + "---\r\n" + head, head + "---\u00a0\n" + head,
	"apiVersion: v1\r\nkind: A\r\nx: |\r\n  a\r\n  b\r\n", "apiVersion: v1\rkind: A\r", head + "x: a\r\r\n", head + "x: \"a\rb\"\n",
	"\xef\xbb\xbf" + head, head + "---\n\xef\xbb\xbf" + head, head + "\xef\xbb\xbfx: 1\n", "\xef\xbb\xbf\xef\xbb\xbf" + head, "\xef\xbb\xbf---\n" + head, "\xef\xbb\xbf" + head + "x: \xff\n", head + "x: \xff\xfe\n", head + "x: \xe2\x82\n", head + "x: \xed\xa0\x80\n", head + "x: \xf0\x9f\x98", "\xff", "\xff\xfe", "\xef\xbb", "\xfe\xff",
	"\xff\xfe" + wide(head, false), "\xfe\xff" + wide(head, true), "\xff\xfe" + wide(head, false) + "x", "\xff\xfe" + wide(head+"x: ", false) + "\x00\xd8a\x00", "\xff\xfe" + wide(one, false),
	"%YAML 1.1\n---\n" + head, "%YAML 1.2\n" + head, "---\n%YAML 1.1\n" + head, "%TAG ! x\n---\n" + head, "# c\n%FOO\n" + head, "%", head + "%x\n", "\xef\xbb\xbf%YAML 1.1\n\xef\xbb\xbf---\n" + head,
	one, one + two, one + " " + two + "\n", one + "\n---\n" + two, one + "\n---\n" + head, one + "---\n" + head, one + two + "\n---\n" + head, one + "\n" + head, one + "\n  " + head, one + " x", one + "\nx", one + ",", one + "]", one + "null", one + "5" + two, one + "\n#x\n" + head, one + "\n\n---\n" + head,
	" \n\t" + one, "\u00a0" + one, "\v" + one, "{", "}", "{\"a\"", "{\"kind\":\"A\",\"apiVersion\":\"v1\",}", "{kind: A, apiVersion: v1}", "{kind: A, apiVersion: v1}\n---\n" + head, "{kind: A, apiVersion: v1}\nb: c\n", "{kind: A, apiVersion: v1} x", "[{}]", "{\"kind\":\"A\",\"apiVersion\":\"v1\" /* c */}",
	`{"kind":"A","kind":"B","apiVersion":"v1"}`, `{"kind":"A","apiVersion":"v1","x":1.0}`, `{"kind":"A","apiVersion":"v1","x":[1e2,1E400]}`, `{"kind":"A","apiVersion":"v1","x":[01]}`, `{"kind":"A","apiVersion":"v1","x":[-0,-0.0,1e2,18446744073709551615,0.1,1e-7]}`, `{"kind":"A","apiVersion":"v1","x":"\ud800\u0041\uDC00\ud83d\ude00\/\b"}`, "{\"kind\":\"A\",\"apiVersion\":\"v1\",\"x\":\"a\tb\"}", "{\"kind\":\"A\",\"apiVersion\":\"v1\",\"x\":\"\xff\"}", "\xef\xbb\xbf{\"kind\":\"A\",\"apiVersion\":\"v1\",\"x\":\"\xff\xe2\x82\"}",
	"kind: A\n", "apiVersion: v1\n", "apiVersion: v1\nkind: 5\n", "apiVersion: 1\nkind: A\n", "apiVersion: a/b/c\nkind: A\n", "apiVersion: a/\nkind: A\n", "apiVersion: /\nkind: A\n", "apiVersion: /v1\nkind: A\n", "apiVersion: v1\nkind: null\n", "apiVersion: null\nkind: A\n", "apiVersion: v1\nkind: ''\n", "Kind: A\napiVersion: v1\n",
	head + "metadata: {name: 5}\n", head + "metadata: {namespace: null}\n", head + "metadata: {namespace: a}\n", head + "metadata: {name: null, labels: {a: y}}\n", head + "metadata: {labels: {a: null, b: x}}\n", head + "metadata: {labels: [a]}\n", head + "metadata: []\n", head + "metadata: null\n", head + "metadata: x\n", head + "metadata: {annotations: {a: 1}}\n", head + "metadata: {Labels: {a: 1}, labels: {}}\n",
	head + "metadata: {creationTimestamp: null}\n", head + "metadata: {creationTimestamp: 2001-01-01T00:00:00Z}\n", head + "metadata: {creationTimestamp: 2001-01-01}\n", head + "metadata: {creationTimestamp: ''}\n", head + "metadata: {generation: 1.5}\n", head + "metadata: {generation: 1}\n", head + "metadata: {generation: 1e30}\n", head + "metadata: {deletionGracePeriodSeconds: '1'}\n", head + "metadata: {finalizers: [a, 1]}\n", head + "metadata: {finalizers: [a, null]}\n", head + "metadata: {ownerReferences: [{name: 1}]}\n", head + "metadata: {ownerReferences: [null, {controller: y, uid: a}]}\n", head + "metadata: {ownerReferences: {}}\n", head + "metadata: {managedFields: [{time: x}]}\n", head + "metadata: {managedFields: [{time: '2001-01-01T00:00:00Z', fieldsV1: {a: 1}, manager: m}]}\n", head + "metadata: {managedFields: [{fieldsV1: 5}]}\n",
	"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A}\n- {apiVersion: v1, kind: B}\n", "apiVersion: v1\nkind: List\nitems: []\n", "apiVersion: v1\nkind: List\nitems: null\n", "apiVersion: v1\nkind: List\nitems: {}\n", "apiVersion: v1\nkind: List\nitems: [1]\n", "apiVersion: v1\nkind: List\n", "apiVersion: v1\nkind: AList\nitems: [{a: 1}, {kind: B}, {apiVersion: v2}, null]\n", "apiVersion: v1\nkind: A\nitems: [{a: 1}]\n", "apiVersion: v1\nkind: List\nitems: [{}]\n", "kind: List\nitems: [{apiVersion: v1, kind: A}]\n", "apiVersion: v1\nitems: [{apiVersion: v1, kind: A}]\n", "items: [{apiVersion: v1, kind: A}]\n",
	"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A}\n- apiVersion: v1\n  kind: List\n  items: [{apiVersion: v1, kind: B}]\n- {apiVersion: v1, kind: C}\n", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: List, items: []}]\n", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: A, items: {}}]\n", "apiVersion: v1\nkind: List\nmetadata: {labels: {a: 1}}\nitems: []\n", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: A, metadata: {labels: {a: 1}}}]\n", "apiVersion: v1\nkind: AList\nitems: [{kind: 5, apiVersion: null}]\n",
	head + "x: &a {b: 1}\n---\n" + head + "x: *a\n", head + "a:\n- b\n - c\n", head + "a:\n  b: 1\n c: 2\n", head + "a: 1\n b: 2\n", head + "? a\n: b\n", head + "? [a]\n: b\n", head + "?\n", head + ": a\n", head + "- a\n", head + "x:\n- a: 1\n  b: 2\n-\n  - c\n- - d\n", head + "x:\n  - a\n  -b\n", head + "x\n", head + "x: 'a\n", head + "x: \"a\n---\nb\"\n", head + "x: [a\n", head + "x: {a: 1\n", head + "x: [a\n---\nb]\n", head + "x: |\n  a\n--- \n" + head, head + "\tx: 1\n", head + "x:\t1\n", head + "x: 1\t\n", head + "x:\n\t- a\n", head + "x:\n  \ty: 1\n", head + "x: {\n\ta: 1}\n", head + "x: 1 \t# c\n", head + "x: a\n  # c\n  b\n", head + "x: a\n# c\ny: b\n",
}

func wide(text string, isBig bool) string {
	var out []byte
	for _, letter := range []byte(text) {
		if isBig {
			out = append(out, 0, letter)
		} else {
			out = append(out, letter, 0)
		}
	}
	return string(out)
}
