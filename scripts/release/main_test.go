package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// version is the one of the sources.
func version(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "cmd", "thera", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^const release = "(.+)"$`).FindSubmatch(text)
	if found == nil {
		t.Fatal("the sources have no version")
	}
	return string(found[1])
}

// folder is what a release writes to a new folder.
func folder(t *testing.T, targets ...string) map[string][]byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dist")
	if err := release(t.Context(), filepath.Join("..", ".."), dir, version(t), targets); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// unpacked are the files of a tar.gz, without its top folder.
func unpacked(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	zipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(zipped); ; {
		head, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(head.Name, "/")
		if files[name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// Two builds give the same bytes. The archive has all that is needed, and its program runs.
func TestRelease(t *testing.T) {
	const target = "linux/amd64"
	first, second := folder(t, target), folder(t, target)
	if !maps.EqualFunc(first, second, bytes.Equal) {
		t.Error("two builds differ")
	}
	name := "thera-" + version(t) + "-linux-amd64.tar.gz"
	if !strings.HasSuffix(string(first["SHA256SUMS"]), "  "+name+"\n") {
		t.Errorf("SHA256SUMS: %q", first["SHA256SUMS"])
	}
	files := unpacked(t, first[name])
	for _, want := range []string{
		"LICENSE", "licences/go/LICENSE", "completions/thera.bash", "completions/_thera",
		"completions/thera.fish", "completions/thera.ps1", "man/thera.1", "man/thera-run.1",
	} {
		if len(files[want]) == 0 {
			t.Errorf("%s is missing", want)
		}
	}
	var list struct {
		Components []component
	}
	if err := json.Unmarshal(files["sbom.cdx.json"], &list); err != nil || len(list.Components) < 20 {
		t.Fatalf("%d components, %v", len(list.Components), err)
	}
	paths := slices.Sorted(maps.Keys(files))
	for _, c := range list.Components {
		if strings.Contains(c.Name, "md2man") {
			t.Errorf("%s is linked into thera", c.Name)
		}
		if c.Name != "std" && !slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(p, "licences/"+c.Name+"/") }) {
			t.Errorf("no licence of %s", c.Name)
		}
	}
	if runtime.GOOS+"/"+runtime.GOARCH != target {
		return
	}
	program := filepath.Join(t.TempDir(), "thera")
	if err := os.WriteFile(program, files["thera"], 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "thera "+version(t)+" (") || strings.Contains(string(out), "unknown") {
		t.Errorf("%q, %v", out, err)
	}
}

// All targets can be built, and give the same bytes again.
func TestReleaseLong(t *testing.T) {
	if os.Getenv("THERA_LONG") == "" {
		t.Skip("minutes: THERA_LONG=1 builds all targets twice")
	}
	first := folder(t, targets...)
	if len(first) != len(targets)+1 {
		t.Errorf("files: %q", slices.Sorted(maps.Keys(first)))
	}
	if second := folder(t, targets...); !maps.EqualFunc(first, second, bytes.Equal) {
		t.Error("two builds differ")
	}
	t.Logf("%s", first["SHA256SUMS"])
}

// A version that is not the one of the sources is refused.
func TestReleaseOfAnotherVersion(t *testing.T) {
	err := release(t.Context(), filepath.Join("..", ".."), t.TempDir(), "99.0.0", []string{"linux/amd64"})
	if err == nil || !strings.Contains(err.Error(), "99.0.0") {
		t.Errorf("err = %v", err)
	}
}

// The order in which files were found changes nothing, and a zip has the modes and times of a tar.
func TestPacked(t *testing.T) {
	when := time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	files := []file{{"b", []byte("B"), 0o755}, {"a/a", []byte("A"), 0o644}}
	for name, pack := range map[string]func(string, []file, time.Time) ([]byte, error){"tar": packTar, "zip": packZip} {
		one, err := pack("top", files, when)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(files)
		if two, err := pack("top", files, when); err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: other bytes, %v", name, err)
		}
		if name == "zip" {
			r, err := zip.NewReader(bytes.NewReader(one), int64(len(one)))
			if err != nil || len(r.File) != 2 || r.File[1].Name != "top/b" || r.File[1].Mode() != 0o755 || !r.File[1].Modified.Equal(when) {
				t.Errorf("%v, %v", r.File, err)
			}
		}
	}
}

// A module without a licence is not shipped.
func TestLicences(t *testing.T) {
	dir := t.TempDir()
	if _, err := licences("example.org/m", dir, "."); err == nil {
		t.Error("no error")
	}
	if err := os.WriteFile(filepath.Join(dir, "LICENSE-THIRD.md"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if files, err := licences("example.org/m", dir, "."); err != nil || len(files) != 1 || files[0].path != "licences/example.org/m/LICENSE-THIRD.md" {
		t.Errorf("%v, %v", files, err)
	}
}
