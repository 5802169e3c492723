package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// linked are the licences of all that is linked into a program, and the list of it (CycloneDX).
func (b *build) linked(ctx context.Context, target, program string) ([]file, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	licence, err := os.ReadFile(filepath.Join(b.src, "LICENSE"))
	if err != nil {
		return nil, err
	}
	goroot, err := command(ctx, b.src, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	files, err := licences("go", strings.TrimSpace(string(goroot)), ".")
	if err != nil {
		return nil, err
	}
	files = append(files, file{"LICENSE", licence, 0o644})
	out, err := command(ctx, b.src, environment(target), "go", "list", "-deps", "-json=Dir,Module", "./cmd/thera")
	if err != nil {
		return nil, err
	}
	found := map[string]map[string]bool{} // the folders of packages, by module
	at := map[string]string{}
	for lines := json.NewDecoder(bytes.NewReader(out)); lines.More(); {
		var p struct {
			Dir    string
			Module struct{ Path, Dir string }
		}
		if err := lines.Decode(&p); err != nil {
			return nil, err
		}
		m := p.Module
		if m.Path == "" { // a package of Go
			continue
		}
		if at[m.Path] = m.Dir; found[m.Path] == nil {
			found[m.Path] = map[string]bool{".": true}
		}
		below, err := filepath.Rel(m.Dir, p.Dir)
		if err != nil {
			return nil, err
		}
		for below = filepath.ToSlash(below); below != "."; below = path.Dir(below) {
			found[m.Path][below] = true
		}
	}
	parts := []component{{Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go")}}
	for _, m := range info.Deps {
		if found[m.Path] == nil {
			return nil, fmt.Errorf("module %s is linked, but go list does not know it", m.Path)
		}
		for below := range found[m.Path] {
			more, err := licences(m.Path, at[m.Path], below)
			if err != nil {
				return nil, err
			}
			files = append(files, more...)
		}
		parts = append(parts, component{Name: m.Path, Version: m.Version})
	}
	list, err := b.bill(parts)
	return append(files, file{"sbom.cdx.json", list, 0o644}), err
}

var licence = regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying|notice|patents)\b`)

// licences are those in the folder below of a module. Its top folder must have one.
func licences(module, dir, below string) (files []file, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(below)))
	for _, e := range entries {
		if !e.Type().IsRegular() || !licence.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		text, failed := os.ReadFile(filepath.Join(dir, filepath.FromSlash(below), e.Name()))
		err = errors.Join(err, failed)
		files = append(files, file{path.Join("licences", module, below, e.Name()), text, 0o644})
	}
	if below == "." && len(files) == 0 {
		err = errors.Join(err, fmt.Errorf("module %s in %s: no licence: %w", module, dir, fs.ErrNotExist))
	}
	return files, err
}

// component is a module in the list.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl"`
}

// bill is the list as CycloneDX. It has no number of its own and no date but the commit's, so that it
// is the same in each build.
func (b *build) bill(parts []component) ([]byte, error) {
	for i := range parts {
		parts[i].Type = "library"
		parts[i].URL = "pkg:golang/" + parts[i].Name + "@" + strings.ReplaceAll(parts[i].Version, "+", "%2B")
	}
	return json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata": map[string]any{
			"timestamp": b.when.Format("2006-01-02T15:04:05Z"),
			"component": map[string]any{"type": "application", "name": "thera", "version": b.version},
		},
		"components": parts,
	}, "", " ")
}
