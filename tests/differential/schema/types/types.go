// Package types reads the schema of Kubernetes' own types that client-go carries for server-side applies.
package types

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// Module is where the schema comes from.
const Module = "k8s.io/client-go"

// Ask is what `go list -m` says of the module, in a template's form.
func Ask(format string) (string, error) {
	answer, err := exec.Command("go", "list", "-m", "-f", format, Module).Output()
	return strings.TrimSpace(string(answer)), err
}

// Read takes the schema out of a source that nobody else may import.
func Read() (*typed.Parser, error) {
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
