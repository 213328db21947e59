package main

import (
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// builtin is what the table of built-in types holds: their numbers, and those of the names of their fields.
type builtin struct {
	names []string
	types map[string][]int
	kinds []schema.GroupVersionKind
}

// version is that of k8s.io/kubernetes that this is built from.
var version = readVersion()

func readVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "k8s.io/kubernetes" {
				return module.Version
			}
		}
	}
	return ""
}

var (
	nameLine = regexp.MustCompile(`(?m)^NAME\(\d+, (".*")\)$`)
	typeLine = regexp.MustCompile(`(?m)^TYPE\(.*\)(?: /\* (\S+) \*/)?$`)
	kindLine = regexp.MustCompile(`(?m)^KIND\((\d+), (\d+), \d+\)$`)
)

func readSchema(path string) builtin {
	text := string(must(os.ReadFile(path)))
	read := builtin{types: map[string][]int{}}
	for _, line := range nameLine.FindAllStringSubmatch(text, -1) {
		read.names = append(read.names, must(strconv.Unquote(line[1])))
	}
	for number, line := range typeLine.FindAllStringSubmatch(text, -1) {
		read.types[line[1]] = append(read.types[line[1]], number)
	}
	for _, line := range kindLine.FindAllStringSubmatch(text, -1) {
		version := read.names[must(strconv.Atoi(line[1]))]
		kind := read.names[must(strconv.Atoi(line[2]))]
		read.kinds = append(read.kinds, schema.FromAPIVersionAndKind(version, kind))
	}
	return read
}

// enums are the values that the OpenAPI document has of the fields of types.
var enums = readEnums()

func readEnums() map[string]map[string][]string {
	all := map[string]map[string][]string{}
	none := func(string) spec.Ref { return spec.Ref{} }
	for name, definition := range openapi.GetOpenAPIDefinitions(none) {
		for field, property := range definition.Schema.Properties {
			for _, value := range property.Enum {
				if text, is := value.(string); is {
					if all[name] == nil {
						all[name] = map[string][]string{}
					}
					all[name][field] = append(all[name][field], text)
				}
			}
		}
	}
	return all
}

// latest stands for each image with this tag, or without one.
const latest = "latest"

// valuesOf are the values of a member that defaults of other members may depend on.
func valuesOf(owner, member string) []string {
	if strings.HasSuffix(owner, ".Subject") && member == "kind" {
		return []string{"Group", "ServiceAccount", "User"}
	}
	if strings.HasSuffix(owner, ".LimitRangeItem") && member == "type" {
		return []string{"Container"}
	}
	if member == "image" || member == "reference" {
		return []string{latest}
	}
	return enums[owner][member]
}
