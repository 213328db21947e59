package main

import (
	"fmt"
	"os"
	"strings"
)

// Disagreements that are meant: what applyguard says instead, and why. README.md lists them for readers.
var classes = map[string]string{
	"refused-set":            "FieldsV1 that structured-merge-diff refuses as a whole: applyguard reads it up to the fault",
	"repeated-element":       "FieldsV1 that names one child twice: structured-merge-diff unites the two, applyguard says that it is malformed",
	"too-deep":               "FieldsV1 of more than 128 levels: applyguard says that it is nested too deeply",
	"element-not-as-written": "an element that structured-merge-diff reads, but never writes: text behind its JSON, i:01",
	"structured-value":       "a map or list in an element's key or value, which no list type has",
	"large-key":              "a number beyond 2^53 in an element: structured-merge-diff reads it as a double, which may be another item's",
	"number-in-path":         "a number from a million on, in a printed path: 1234567, which Kubernetes prints as 1.234567e+06",
	"fraction-key":           "a list item known by a fraction, a number beyond 2^53 or -0: looked for as applyguard would write it, 1.5e300 for 1.5e+300",
	"same-manager":           "a manager that takes of itself under another operation",
	"empty-container":        "a map or list that was empty or null, and is filled, empty or gone",
	"bare-container":         "a manager that owns no more than that a map or list is there, which others have filled",
	"no-digits":              "a quantity without a digit, such as m or a lone dot: ParseQuantity takes it for 0, applyguard for a text",
	"long-quantity":          "a quantity of more than 64 bytes: applyguard takes it for a text",
	"two-readings":           "keys of a map that become the same text, 1 and \"1\": kubectl keeps one of them by chance, applyguard the last",
	"flow-colon":             "a colon before a bracket or comma behind a quote within text, [a\":]: Go's YAML takes it into the text, libyaml refuses it",
	"hidden-by-duplicate":    "what no JSON can hold, .inf or a null key, below a key that comes again: kubectl never looks at it",
	"empty-namespace":        "a namespace that is null or empty: kubectl removes it or fills it in, by the kind's scope in the cluster",
	"behind-the-end":         "a control character in what kubectl ignores after the end of a document: libyaml has read ahead to it",
	"byte-order-mark":        "a byte order mark within a document: Go's YAML passes it over at the start of any line",
	"tag-in-brackets":        "a comma or bracket right behind a tag: libyaml ends the tag there, Go's YAML does not",
	"escaped-quote":          "the escape \\' in double quotes, which YAML does not have: Go's YAML takes it, libyaml refuses it",
	"no-version":             "an object or List without apiVersion: kubectl reads it and finds no such kind in the cluster",
	"repeated-primitive":     "a list of texts that merges, such as finalizers, with an item twice in the live object: in Kubernetes' code the order of the rest depends on where Go has put the list",
	"left-to-the-server":     "a pattern, format or limit that applyguard does not check, and says so",
	"large-integer":          "a whole number beyond 2^53 beside a fraction: applyguard compares them exactly, structured-merge-diff as doubles",
}

// checkReadme holds the README against the table.
func checkReadme(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for class := range classes {
		if !strings.Contains(string(text), "`"+class+"`") {
			return fmt.Errorf("%s does not list the class %q of accepted.go", file, class)
		}
	}
	return nil
}
