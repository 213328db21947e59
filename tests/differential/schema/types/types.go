// Package types makes the schema of Kubernetes' own types, by which server-side applies merge.
//
// That of most types is what client-go carries. It has none of CustomResourceDefinitions and APIServices, which
// other API servers serve; theirs is made from the OpenAPI definitions of these servers, as they make it.
package types

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiregistration "k8s.io/kube-aggregator/pkg/generated/openapi"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// Module is where the schema comes from.
const Module = "k8s.io/client-go"

// Ask is what `go list -m` says of the module, in a template's form.
func Ask(format string) (string, error) {
	answer, err := exec.Command("go", "list", "-m", "-f", format, Module).Output()
	return strings.TrimSpace(string(answer)), err
}

// Scheme has the Go types of all kinds.
func Scheme() (*runtime.Scheme, error) {
	all := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme} {
		if err := add(all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Read makes the schema.
func Read() (*typed.Parser, error) {
	parser, err := readClient()
	if err != nil {
		return nil, err
	}
	for _, definitions := range []common.GetOpenAPIDefinitions{apiextensions.GetOpenAPIDefinitions, apiregistration.GetOpenAPIDefinitions} {
		if err := addDefinitions(parser, definitions); err != nil {
			return nil, err
		}
	}
	return parser, nil
}

// addDefinitions adds the types that the schema does not have.
func addDefinitions(parser *typed.Parser, definitions common.GetOpenAPIDefinitions) error {
	models := map[string]*spec.Schema{}
	reference := func(name string) spec.Ref { return spec.MustCreateRef("#/components/schemas/" + name) }
	for name, definition := range definitions(reference) {
		models[name] = &definition.Schema
	}
	more, err := schemaconv.ToSchemaFromOpenAPI(models, false)
	if err != nil {
		return err
	}
	for _, def := range more.Types {
		if _, has := parser.Schema.FindNamedType(def.Name); !has {
			parser.Schema.Types = append(parser.Schema.Types, def)
		}
	}
	// The types are found by a map, which is made when it is first asked for.
	parser.Schema = schema.Schema{Types: parser.Schema.Types}
	return nil
}

// readClient takes the schema of client-go out of a source that nobody else may import.
func readClient() (*typed.Parser, error) {
	directory, err := Ask("{{.Dir}}")
	if err != nil {
		return nil, fmt.Errorf("go list -m %s: %w", Module, err)
	}
	file := filepath.Join(directory, "applyconfigurations/internal/internal.go")
	source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	var text string
	ast.Inspect(source, func(node ast.Node) bool {
		if literal, is := node.(*ast.BasicLit); is && strings.HasPrefix(literal.Value, "`types:") {
			text = strings.Trim(literal.Value, "`")
		}
		return true
	})
	return typed.NewParser(typed.YAMLObject(text))
}
