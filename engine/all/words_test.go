package all

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sentBy are the words of a game's client that go into lines to an engine, with their
// places: those in arguments of what sends or makes bytes, and in lists of words.
func sentBy(t *testing.T, dir string) map[string]string {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	constants := map[string]*ast.BasicLit{}
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
				if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					constants[spec.Names[0].Name] = lit
				}
			}
			return true
		})
	}
	words := map[string]string{}
	take := func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok && constants[name.Name] != nil {
			n = constants[name.Name]
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			for _, word := range regexp.MustCompile(`[A-Za-z_]+`).FindAllString(text, -1) {
				if len(word) > 1 && word == strings.ToLower(word) {
					words[word] = set.Position(lit.Pos()).String()
				}
			}
		}
		return true
	}
	for _, file := range files {
		if !isClient(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if sends(n.Fun) {
					for _, arg := range n.Args {
						ast.Inspect(arg, take)
					}
				}
			case *ast.KeyValueExpr: // protocol.Fence
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Question" {
					ast.Inspect(n.Value, take)
				}
			case *ast.CompositeLit:
				if list, ok := n.Type.(*ast.ArrayType); ok {
					if of, ok := list.Elt.(*ast.Ident); ok && of.Name == "string" {
						ast.Inspect(n, take)
					}
				}
			}
			return true
		})
	}
	return words
}

// isClient reports whether a file has methods of a game.Session or of its dialect.
func isClient(file *ast.File) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil {
			return false
		}
		of := f.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		name, ok := of.(*ast.Ident)
		return ok && slices.Contains([]string{"session", "dialect", "Dialect"}, name.Name)
	})
}

// sends reports whether a function sends its arguments or makes bytes of them.
func sends(fun ast.Expr) bool {
	switch f := fun.(type) {
	case *ast.ArrayType: // []byte(…)
		return true
	case *ast.Ident:
		return f.Name == "append" || f.Name == "add"
	case *ast.SelectorExpr:
		return slices.Contains([]string{"Say", "Send", "message", "sayAll"}, f.Sel.Name)
	}
	return false
}

// Whatever we say to an engine stands on the page of its protocol, for those who write
// one.
func TestHole20EveryWordWeSendIsOnThePage(t *testing.T) {
	for _, g := range Games() {
		name := g.Name()
		dir := "../" + name + "/protocol"
		if _, err := os.Stat(dir); err != nil {
			dir = "../" + name // a small game is one package
		}
		page, err := os.ReadFile("../../docs/" + name + ".md")
		if err != nil {
			page, err = os.ReadFile(filepath.Join(dir, "PROTOCOL.md"))
		}
		if err != nil {
			t.Fatal(err)
		}
		words := sentBy(t, dir)
		t.Logf("%s: %d words", name, len(words))
		if len(words) < 4 {
			t.Errorf("%s: only %v are sent", name, words)
		}
		for word, where := range words {
			if !regexp.MustCompile(`\b` + word + `\b`).Match(page) {
				t.Errorf("the page of %s does not have the word %q, which we send (%s)", name, word, where)
			}
		}
	}
}
