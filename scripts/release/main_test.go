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

// The archive has all that is needed, and its program runs. An engine is tested with nothing else.
func TestRelease(t *testing.T) {
	const target = "linux/amd64"
	const mostProgram = 38_000_000 // bytes; 4 of these millions are nets
	first := folder(t, target)
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
	if n := len(files["thera"]); n > mostProgram {
		t.Errorf("a program of %d bytes", n)
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
		licensed := func(path string) bool { return strings.HasPrefix(path, "licences/"+c.Name+"/") }
		if c.Name != "std" && !slices.ContainsFunc(paths, licensed) {
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
	out, err := exec.CommandContext(t.Context(), program, "version").Output()
	said := string(out)
	if err != nil || !strings.HasPrefix(said, "thera "+version(t)+" (") || strings.Contains(said, "unknown") {
		t.Errorf("%q, %v", said, err)
	}
	testAction(t, first, program)
}

// All targets can be built. The job of the workflow gives the same bytes in another folder, with
// another umask and locale, and without a package that was built before. It publishes them.
func TestReleaseLong(t *testing.T) {
	if os.Getenv("THERA_LONG") == "" {
		t.Skip("minutes: THERA_LONG=1 builds all targets twice")
	}
	first := folder(t, targets...)
	if len(first) != len(targets)+1 {
		t.Errorf("files: %q", slices.Sorted(maps.Keys(first)))
	}
	t.Logf("%s", first["SHA256SUMS"])

	store, bin := t.TempDir(), t.TempDir()
	gh := "#!/bin/sh\necho \"$@\" >\"$RUNNER_TEMP/published\"\n"
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	w := readWorkflow(t, "release.yaml")
	for _, job := range []string{"build", "publish"} {
		m := newMachine(t, map[string]string{"github.token": "secret"}, "GITHUB_REF_NAME=v"+version(t),
			"GITHUB_REPOSITORY=owner/thera", "LC_ALL=tr_TR.UTF-8", "TZ=Asia/Tokyo",
			"GOCACHE="+t.TempDir(), "GOMODCACHE="+goEnv(t, "GOMODCACHE"))
		m.umask = "077"
		m.actions = map[string]func(map[string]string) error{
			"actions/setup-go": func(map[string]string) error { return nil }, // the Go of this machine
		}
		m.store(store)
		m.clone(root)
		if err := m.job(t, w.Jobs[job].Steps); err != nil {
			t.Fatalf("%v\n%s", err, &m.log)
		}
		if job != "publish" {
			continue
		}
		want := "release create v" + version(t) + " dist/SHA256SUMS dist/thera-"
		if got := read(t, m.temp, "published"); !strings.HasPrefix(got, want) {
			t.Errorf("published %q, want %q", got, want)
		}
		for name, data := range first {
			if read(t, m.dir, "dist", name) != string(data) {
				t.Errorf("%s differs", name)
			}
		}
	}
}

// goEnv is a setting of the go command.
func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
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
			if err != nil || len(r.File) != 2 {
				t.Fatalf("%v, %v", r, err)
			}
			if b := r.File[1]; b.Name != "top/b" || b.Mode() != 0o755 || !b.Modified.Equal(when) {
				t.Errorf("%v", b)
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
	const want = "licences/example.org/m/LICENSE-THIRD.md"
	if files, err := licences("example.org/m", dir, "."); err != nil || len(files) != 1 || files[0].path != want {
		t.Errorf("%v, %v", files, err)
	}
}
