package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	goyaml "go.yaml.in/yaml/v2"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/resource"
)

var manifests = &comparison{
	name:     "manifests",
	about:    "an input of kubectl apply: its objects, by kubectl's own reader",
	letter:   'M',
	generate: func(r *rand.Rand) [][]byte { return [][]byte{[]byte(manifestInput(r))} },
	accepted: []string{"two-readings", "flow-colon", "byte-order-mark", "tag-in-brackets", "escaped-quote", "no-version", "hidden-by-duplicate", "empty-namespace", "behind-the-end"},
	prepare:  prepareManifest,
	compare:  compareManifests,
}

// kubectlReading is what kubectl makes of an input.
type kubectlReading struct {
	objects []string // as JSON
	failed  bool     // something in it is wrong
	problem string
}

// kubectlReads runs kubectl's own chain: FileVisitor's decoding, StreamVisitor, FlattenListVisitor, without a cluster.
func kubectlReads(input []byte) (read kubectlReading) {
	text := transform.NewReader(bytes.NewReader(input), unicode.BOMOverride(unicode.UTF8.NewDecoder()))
	result := resource.NewLocalBuilder().Unstructured().Local().ContinueOnError().Stream(text, "input").Flatten().Do()
	err := result.Visit(func(info *resource.Info, err error) error {
		if err != nil {
			return err
		}
		object := info.Object.(*unstructured.Unstructured)
		// The cluster's mapping would find no such kind.
		if gvk := object.GroupVersionKind(); gvk.Version == "" || gvk.Kind == "" {
			return fmt.Errorf("no apiVersion")
		}
		encoded, err := runtime.Encode(unstructured.UnstructuredJSONScheme, object)
		read.objects = append(read.objects, string(bytes.TrimSuffix(encoded, []byte("\n"))))
		return err
	})
	// An input without objects is an error to kubectl as a whole.
	if err != nil && !resource.IsUsageError(err) && !strings.Contains(err.Error(), "no objects passed") {
		read.failed, read.problem = true, err.Error()
	}
	return read
}

func prepareManifest(p *pair) (isCase bool) {
	defer func() {
		// Go's YAML panics on some inputs.
		if recover() != nil {
			isCase = false
		}
	}()
	p.theirs = kubectlReads(p.parts[0])
	return true
}

func compareManifests(p *pair, answer []byte) reading {
	theirs := p.theirs.(kubectlReading)
	var objects, errors []string
	for _, field := range fieldsOf(answer) {
		if field[0] == 'O' {
			objects = append(objects, field[1:])
		} else {
			errors = append(errors, field[1:])
		}
	}
	// After an error in the text kubectl reads no further, and applyguard does.
	if theirs.failed && len(errors) > 0 && len(objects) > len(theirs.objects) {
		objects = objects[:len(theirs.objects)]
	}
	read := reading{
		ours:   describeReading(objects, len(errors) > 0),
		theirs: describeReading(theirs.objects, theirs.failed),
	}
	if read.ours == read.theirs {
		return read
	}
	if class := manifestClass(p.parts[0], errors, theirs); class != "" {
		return reading{accepted: []string{class}}
	}
	if emptyNamespace.MatchString(read.ours) {
		return reading{accepted: []string{"empty-namespace"}}
	}
	read.ours += " " + strings.Join(errors, "; ")
	read.theirs += " " + theirs.problem
	return read
}

func describeReading(objects []string, failed bool) string {
	text := strings.Join(objects, "\n")
	if failed {
		text += "\nan error"
	}
	return text
}

// Of a tag, or what Go's YAML takes for one.
var bracketInTag = regexp.MustCompile(`![^\s]*[,\[\]}]`)

// kubectl removes it of what has none in the cluster, as here where there is no cluster, or fills it in.
var emptyNamespace = regexp.MustCompile(`"metadata":\{[^{}]*(\{[^{}]*\}[^{}]*)*"namespace":(null|"")`)

// isMarkedAgain: Go's YAML takes a byte order mark at the start of any line, and of UTF-16 at that of each document.
func isMarkedAgain(input []byte) bool {
	for _, mark := range []string{"\ufeff", "\xfe\xff", "\xff\xfe"} {
		if bytes.LastIndex(input, []byte(mark)) >= 0 {
			return true
		}
	}
	return false
}

// manifestClass names the disagreement; empty if it is not one that is meant.
func manifestClass(input []byte, errors []string, theirs kubectlReading) string {
	said := strings.Join(errors, "; ")
	// Of UTF-16, without its mark.
	if bytes.HasPrefix(input, []byte("\xff\xfe")) || bytes.HasPrefix(input, []byte("\xfe\xff")) {
		input = bytes.ReplaceAll(input[2:], []byte{0}, nil)
	}
	switch {
	case strings.Contains(said, "apiVersion") && len(errors) == 1:
		return "no-version"
	case strings.Contains(said, "found unexpected ':'"):
		return "flow-colon"
	case bracketInTag.Match(input):
		return "tag-in-brackets"
	case strings.Contains(said, "escape is unknown") && bytes.Contains(input, []byte(`\'`)):
		return "escaped-quote"
	case strings.Contains(said, "refuses a key") || strings.Contains(said, "infinity"):
		return "hidden-by-duplicate"
	case strings.Contains(said, "control character"):
		return "behind-the-end"
	case isMarkedAgain(input[min(len(input), 1):]):
		return "byte-order-mark"
	case hasTwoReadings(input):
		return "two-readings"
	}
	return ""
}

// hasTwoReadings: of keys that become the same text, as 1 and "1" do, Go keeps one by chance.
func hasTwoReadings(input []byte) bool {
	for _, text := range bytes.Split(bytes.TrimPrefix(input, []byte("\ufeff")), []byte("---")) {
		var value any
		if goyaml.Unmarshal(text, &value) == nil && hasEqualKeys(value) {
			return true
		}
	}
	return false
}

func hasEqualKeys(value any) bool {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			if hasEqualKeys(item) {
				return true
			}
		}
	case map[any]any:
		seen := map[string]bool{}
		for key, member := range value {
			name := fmt.Sprint(key)
			if number, is := key.(float64); is {
				name = strconv.FormatFloat(number, 'g', -1, 32)
			}
			if seen[name] || hasEqualKeys(member) {
				return true
			}
			seen[name] = true
		}
	}
	return false
}
