// Prints the public names of Go packages, for ../go-names.ts: one package a block, sorted, as spec/README.md describes them.
//
//	go run main.go MODULE=DIRECTORY …
//
// Left out: tests, programs, what is internal, and in generated files the methods that every API type has.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// pkg holds names by kind ("func", "type", …), and the members of types: fields as they are, methods after a dot.
type pkg struct {
	kinds   map[string]string
	members map[string]map[string]bool
}

func main() {
	for _, arg := range os.Args[1:] {
		module, dir, _ := strings.Cut(arg, "=")
		packages, err := read(module, dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		show(packages)
	}
}

func read(module, dir string) (map[string]*pkg, error) {
	packages := map[string]*pkg{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != dir && (name == "internal" || name == "testdata" || name == "examples") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || everyTypeHas(name) {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if file.Name.Name == "main" {
			return nil
		}
		relative, err := filepath.Rel(dir, filepath.Dir(path))
		if err != nil {
			return err
		}
		importPath := strings.TrimSuffix(module+"/"+filepath.ToSlash(relative), "/.")
		if packages[importPath] == nil {
			packages[importPath] = &pkg{map[string]string{}, map[string]map[string]bool{}}
		}
		packages[importPath].add(file)
		return nil
	})
	return packages, err
}

// everyTypeHas says of a file that it has nothing but DeepCopy, Marshal, SwaggerDoc and the like.
func everyTypeHas(name string) bool {
	return strings.HasPrefix(name, "zz_generated.") || strings.HasPrefix(name, "generated.") ||
		strings.HasSuffix(name, "_swagger_doc_generated.go") || name == "types_proto.go"
}

func (p *pkg) add(file *ast.File) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				p.name("func", decl.Name)
			} else {
				p.member(receiver(decl.Recv.List[0].Type), ".", decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					p.name("type", spec.Name)
					p.typeMembers(spec)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						p.name(decl.Tok.String(), name)
					}
				}
			}
		}
	}
}

func (p *pkg) typeMembers(spec *ast.TypeSpec) {
	switch t := spec.Type.(type) {
	case *ast.InterfaceType:
		for _, method := range t.Methods.List {
			for _, name := range method.Names {
				p.member(spec.Name, ".", name)
			}
		}
	case *ast.StructType:
		for _, field := range t.Fields.List {
			for _, name := range field.Names {
				p.member(spec.Name, "", name)
			}
			if embedded := receiver(field.Type); len(field.Names) == 0 && embedded != nil {
				p.member(spec.Name, "", embedded)
			}
		}
	}
}

func (p *pkg) name(kind string, name *ast.Ident) {
	if name.IsExported() {
		p.kinds[name.Name] = kind
	}
}

func (p *pkg) member(of *ast.Ident, mark string, name *ast.Ident) {
	if of == nil || !of.IsExported() || !name.IsExported() {
		return
	}
	if p.members[of.Name] == nil {
		p.members[of.Name] = map[string]bool{}
	}
	p.members[of.Name][mark+name.Name] = true
}

// receiver is the name of a type, with pointers, packages and type arguments taken away.
func receiver(expr ast.Expr) *ast.Ident {
	switch t := expr.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.Ident:
		return t
	}
	return nil
}

func show(packages map[string]*pkg) {
	for _, path := range sorted(packages) {
		p := packages[path]
		if len(p.kinds) == 0 {
			continue
		}
		fmt.Println(path)
		for _, name := range sorted(p.kinds) {
			line := append([]string{" ", p.kinds[name], name}, sorted(p.members[name])...)
			fmt.Println(strings.Join(line, " "))
		}
	}
}

func sorted[V any](names map[string]V) []string {
	keys := make([]string, 0, len(names))
	for key := range names {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
