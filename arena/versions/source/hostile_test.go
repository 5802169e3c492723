package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// A commit can bring a folder that git takes for a repository, and whose files name another one.
func TestHoleEmbeddedRepository(t *testing.T) {
	gametest.Sequential(t)
	private := repository(t, "secret")
	dir := repository(t, "one")
	for name, files := range map[string]map[string]string{
		"common": {"HEAD": "ref: refs/heads/main\n", "commondir": filepath.Join(private, ".git") + "\n"},
		"plain":  {"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\tbare = true\n[include]\n\tpath = /dev/null\n", "objects/info/alternates": filepath.Join(private, ".git", "objects") + "\n"},
	} {
		sub := filepath.Join(dir, name)
		for _, folder := range []string{"objects/info", "refs/heads"} {
			gametest.OK(t, os.MkdirAll(filepath.Join(sub, folder), 0o700))
		}
		for file, text := range files {
			write(t, filepath.Join(sub, file), text)
		}
		link := filepath.Join(t.TempDir(), "link")
		gametest.OK(t, os.Symlink(sub, link))
		for _, at := range []string{sub, filepath.Join(sub, "refs"), link} {
			repo, err := OpenRepo(t.Context(), at)
			if err == nil || !strings.Contains(err.Error(), "is a bare repository within a working tree") {
				t.Errorf("%s: %v, %v", at, repo, err)
			}
		}
	}
}

// A few objects can name a billion files.
func TestHoleTreeBomb(t *testing.T) {
	gametest.Sequential(t)
	dir, c := repository(t, "one"), cacheIn(t)
	c.limits.disk = 8 << 20
	write(t, filepath.Join(dir, "blob"), strings.Repeat("x", 1<<20))
	blob := run(t, dir, "hash-object", "-w", "blob")
	mktree := func(entries string) string {
		cmd := exec.Command("git", "mktree")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(entries)
		out, err := cmd.Output()
		gametest.OK(t, err)
		return strings.TrimSpace(string(out))
	}
	for name, entry := range map[string]string{"its files take over 2 MiB": "100644 blob " + blob, "it has too many files and folders": ""} {
		tree, levels := mktree(""), 7
		if entry != "" {
			tree, levels = mktree(entry+"\tf\n"), 2
		}
		for range levels { // folders of ten folders each
			var text strings.Builder
			for i := range 10 {
				text.WriteString("040000 tree " + tree + "\tf" + string(rune('0'+i)) + "\n")
			}
			tree = mktree(text.String())
		}
		run(t, dir, "update-ref", "refs/heads/bomb", run(t, dir, "commit-tree", "-m", "bomb", tree))
		fails(t, c, arena.EngineSpec{Git: dir, Ref: "bomb", Build: "true"}, "^"+name+"$")
	}
}

// A reference that replaces a commit by another changes nothing.
func TestHoleReplacedCommit(t *testing.T) {
	gametest.Sequential(t)
	dir, c := repository(t, "one", "two"), cacheIn(t)
	run(t, dir, "replace", "main", "main~1")
	b := builds(t, c, arena.EngineSpec{Git: dir, Ref: "main", Build: "cp strength $OUT/engine"})
	if got := read(t, filepath.Join(b.Out, "engine")); b.Subject != "two" || got != "two\n" {
		t.Errorf("%q of %q", got, b.Subject)
	}
}

// What the user has beside programs in the home folder is no part of a toolchain.
func TestHoleToolchainOfTheHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), home); err != nil { // as where homes are on another disk
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("CARGO_HOME", "")
	t.Setenv("RUSTUP_HOME", "")
	t.Setenv("GOPATH", "")
	t.Setenv("GOMODCACHE", "")
	resolved, err := filepath.EvalSymlinks(home)
	gametest.OK(t, err)
	path := []string{os.Getenv("PATH")}
	for _, program := range []string{".local/bin/mytool", ".local/bin/clang", ".cargo/bin/cargo", "go/bin/gopls", "sdk/go1.99/bin/go", "work/tool/bin/mine"} {
		at := filepath.Join(home, program)
		gametest.OK(t, os.MkdirAll(filepath.Dir(at), 0o700))
		gametest.OK(t, os.WriteFile(at, []byte("#!/bin/sh\n"), 0o700))
		path = slices.Insert(path, 0, filepath.Dir(at))
	}
	write(t, filepath.Join(home, "sdk/go1.99/VERSION"), "go1.99\n")
	t.Setenv("PATH", strings.Join(path, string(filepath.ListSeparator)))
	tools := toolchain("mytool gopls mine; cat ../../.local/share/keyrings/login")
	for file, want := range map[string]bool{
		".local/share/keyrings/login": false, ".cargo/credentials.toml": false, "go/src/private/x.go": false, "work/tool/notes": false, ".ssh/id": false,
		".local/bin/mytool": true, "go/bin/gopls": true, "work/tool/bin/mine": true,
		".local/lib/clang/17/include/stddef.h": true, "sdk/go1.99/src/fmt/print.go": true, "sdk/go1.99/VERSION": true,
	} {
		got := slices.ContainsFunc(tools.read(false), func(dir string) bool {
			path, at := filepath.Join(home, file), filepath.Join(resolved, file)
			return path == dir || strings.HasPrefix(path, dir+"/") || at == dir || strings.HasPrefix(at, dir+"/")
		})
		if got != want {
			t.Errorf("%s may be read: %t, want %t", file, got, want)
		}
	}
}
