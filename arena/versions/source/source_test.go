package source

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"thera/arena"
	"thera/arena/sandbox"
	"thera/engine/gametest"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// repository makes a git repository with one commit for each text, which is the
// content of the file strength and the message.
func repository(t *testing.T, texts ...string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	for _, name := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+name+"_NAME", "a")
		t.Setenv("GIT_"+name+"_EMAIL", "a@example.com")
	}
	run(t, dir, "init", "-q", "-b", "main")
	for _, text := range texts {
		commit(t, dir, text)
	}
	return dir
}

func commit(t *testing.T, dir, text string) {
	t.Helper()
	write(t, filepath.Join(dir, "strength"), text+"\n")
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "-m", text)
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, name, text string) {
	t.Helper()
	gametest.OK(t, os.WriteFile(name, []byte(text), 0o600))
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	gametest.OK(t, err)
	return string(text)
}

func cacheIn(t *testing.T) *Cache {
	t.Helper()
	t.Setenv("THERA_CACHE", t.TempDir())
	c, err := Open()
	gametest.OK(t, err)
	c.host = host
	return c
}

// host is tried once for all tests.
var host = sync.OnceValues(sandbox.Open)

// tree is the content of all files below dir.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var text strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			fmt.Fprintf(&text, "%s %x\n", path, sha256.Sum256([]byte(read(t, path))))
		}
		return err
	})
	gametest.OK(t, err)
	return text.String()
}

func quiet(string) {}

func TestBuildsAreCachedByCommitAndCommands(t *testing.T) {
	dir, c := repository(t, "one", "two"), cacheIn(t)
	before := tree(t, dir)
	ctx := t.Context()
	keys := map[string]bool{}
	for _, want := range []struct {
		ref, build string
		cached     bool
		text       string
	}{
		{"HEAD", "cp strength $OUT/engine", false, "two\n"},
		{"", "cp strength $OUT/engine", true, "two\n"},
		{"main", "cp strength $OUT/engine", true, "two\n"},
		{"HEAD~1", "cp strength $OUT/engine", false, "one\n"},
		{"HEAD", "cp strength $OUT/engine # again", false, "two\n"},
	} {
		b, err := c.Build(ctx, &arena.EngineSpec{Git: dir, Ref: want.ref, Build: want.build}, quiet)
		gametest.OK(t, err)
		if got := read(t, filepath.Join(b.Out, "engine")); got != want.text || (b.Took == 0) != want.cached {
			t.Errorf("%s %q: %q, cached %v; want %q, cached %v", want.ref, want.build, got, b.Took == 0, want.text, want.cached)
		}
		if !want.cached {
			keys[b.Key] = true
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(b.Out), "clone")); err == nil {
			t.Error("the clone is still there")
		}
	}
	if len(keys) != 3 {
		t.Errorf("%d identities, want 3", len(keys))
	}
	if tree(t, dir) != before {
		t.Error("the repository changed")
	}
}

func TestAFailedBuildShowsItsEnd(t *testing.T) {
	dir, c := repository(t, "one"), cacheIn(t)
	failing := &arena.EngineSpec{Git: dir, Build: "seq 100\necho broken >&2\nfalse\necho unreached"}
	for range 2 { // it is not kept as done
		_, err := c.Build(t.Context(), failing, quiet)
		var failed *BuildError
		if !errors.As(err, &failed) || failed.Step != "build" || failed.Cause != "exit status 1" {
			t.Fatal(err)
		}
		if len(failed.Last) != lastLines || failed.Last[lastLines-1] != "broken" || failed.Last[lastLines-2] != "100" {
			t.Errorf("last lines %q", failed.Last)
		}
		if log := read(t, failed.Log); !strings.Contains(log, "\n1\n2\n") || strings.Count(log, "broken\n") != 1 {
			t.Errorf("log %q", log)
		}
	}
}

func TestBuildsAreConfined(t *testing.T) {
	gametest.Sequential(t)
	host, err := host()
	gametest.OK(t, err)
	if missing := host.Report().Missing(); slices.ContainsFunc(missing, func(m string) bool { return !strings.HasPrefix(m, "a limit of") }) {
		t.Skipf("this machine lacks %v", missing)
	}
	dir, c := repository(t, "one"), cacheIn(t)
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "secret\n")
	b, err := c.Build(t.Context(), &arena.EngineSpec{Git: dir, Build: `
		echo x > ` + dir + `/taken || echo refused: the repository >> $OUT/notes
		cat ` + secret + ` || echo refused: files of others >> $OUT/notes
		echo x > $HOME/mine && echo x > $TMPDIR/mine && echo x > mine && rm mine && echo home, tmp and clone >> $OUT/notes
		git describe --always --abbrev=40 --dirty > $OUT/version`}, quiet)
	gametest.OK(t, err)
	if got := strings.TrimSpace(read(t, filepath.Join(b.Out, "version"))); got != b.Hash { // as go build stamps it
		t.Errorf("git says %q, want %s", got, b.Hash)
	}
	notes := read(t, filepath.Join(b.Out, "notes"))
	for _, want := range []string{"refused: the repository", "refused: files of others", "home, tmp and clone"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is missing in %q\n%s", want, notes, read(t, b.Log))
		}
	}
	if strings.Contains(read(t, b.Log), "\nsecret\n") {
		t.Error("a build read a file of others")
	}
}

func TestAnUnfinishedBuildIsBegunAgain(t *testing.T) {
	dir, c := repository(t, "one"), cacheIn(t)
	recipe := &arena.EngineSpec{Git: dir, Build: "cp strength $OUT/engine"}
	b, err := c.Build(t.Context(), recipe, quiet)
	gametest.OK(t, err)
	write(t, filepath.Join(b.Out, "half"), "")
	if err := os.Remove(filepath.Join(filepath.Dir(b.Out), "done")); err != nil { // as kill -9 leaves it
		t.Fatal(err)
	}
	if b, err = c.Build(t.Context(), recipe, quiet); err != nil || b.Took == 0 {
		t.Fatalf("it took %v, %v", b.Took, err)
	}
	if _, err := os.Stat(filepath.Join(b.Out, "half")); err == nil {
		t.Error("a file of the unfinished build is still there")
	}
}

func TestBenchIsAskedOnce(t *testing.T) {
	dir, c := repository(t, "one"), cacheIn(t)
	commit(t, dir, "faster\n\nBench: 4242")
	asked := filepath.Join("home", "asked")
	recipe := &arena.EngineSpec{Git: dir, Build: "cp strength $OUT/engine", Bench: "echo x >> $HOME/asked; echo info; echo '4242 nodes 99 nps'"}
	for range 2 {
		b, err := c.Build(t.Context(), recipe, quiet)
		gametest.OK(t, err)
		if b.Signature != "4242" || b.Announced != "4242" || b.Subject != "faster" {
			t.Errorf("%+v", b)
		}
		if got := read(t, filepath.Join(filepath.Dir(b.Out), asked)); got != "x\n" {
			t.Errorf("asked %q", got)
		}
	}
	recipe.Bench = "echo nothing"
	if _, err := c.Build(t.Context(), recipe, quiet); err == nil || !strings.Contains(err.Error(), "no signature") {
		t.Errorf("a bench without a number: %v", err)
	}
}

func TestApply(t *testing.T) {
	gametest.Sequential(t)
	dir, c := repository(t, "one"), cacheIn(t)
	b, err := c.Build(t.Context(), &arena.EngineSpec{Git: dir, Build: "printf '#!/bin/sh\\n' > $OUT/engine; chmod +x $OUT/engine"}, quiet)
	gametest.OK(t, err)
	spec := arena.EngineSpec{Command: []string{"$OUT/engine", "--data=${OUT}/data"}}
	gametest.OK(t, b.Apply(&spec))
	if spec.Command[0] != filepath.Join(b.Out, "engine") || spec.Command[1] != "--data="+b.Out+"/data" || spec.Binary != b.Key {
		t.Errorf("%+v", spec)
	}
	plan := arena.Plan{Engines: []arena.EngineSpec{spec}}
	for _, one := range plan.ConditionsOf(&plan.Engines[0]) {
		if strings.Contains(one.Value, b.Out) {
			t.Errorf("%s depends on the place of the cache: %s", one.Key, one.Value)
		}
	}
	shell := arena.EngineSpec{Command: []string{"sh", "$OUT/engine"}}
	if err := b.Apply(&shell); err != nil || shell.Binary == b.Key {
		t.Errorf("an interpreter is no part of the identity: %v", err)
	}
	if err := b.Apply(&arena.EngineSpec{Command: []string{"$OUT/other"}}); err == nil || !strings.Contains(err.Error(), "made no program $OUT/other") {
		t.Errorf("a program that is not there: %v", err)
	}
}

func TestSignature(t *testing.T) {
	for text, want := range map[string]string{
		"signature 12": "12",
		"santorini  signature  12  0.5 s  2 M nodes/s": "12",
		"Nodes searched  : 4\nNodes/second : 9":        "4",
		"7 nodes 8 nps":                                "7",
		"bench: 3\n4":                                  "3",
		"bench: 3\nbench: 4":                           "4",
		"x\n 5 ":                                       "5",
		"x 5":                                          "",
		"":                                             "",
	} {
		if got := signature(strings.Split(text, "\n")); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCommitsOfARepository(t *testing.T) {
	gametest.Sequential(t)
	dir := repository(t, "one", "two")
	run(t, dir, "checkout", "-q", "-b", "side")
	commit(t, dir, "three")
	commit(t, dir, "four")
	ctx := t.Context()
	repo, err := OpenRepo(ctx, dir)
	gametest.OK(t, err)
	defer repo.Close()
	head, err := repo.Commit(ctx, "")
	if err != nil || head.Subject != "four" {
		t.Fatal(head, err)
	}
	base, err := repo.Base(ctx, head)
	if err != nil || base.Subject != "two" {
		t.Error(base, err)
	}
	if _, err := repo.Base(ctx, base); err == nil || !strings.Contains(err.Error(), "is already on main") {
		t.Error(err)
	}
	list, err := repo.Between(ctx, base, head)
	if err != nil || len(list) != 3 || list[0] != base || list[2] != head || list[1].Subject != "three" {
		t.Error(list, err)
	}
	for bad, want := range map[Commit]string{base: "is not an ancestor", head: "are the same commit"} {
		if _, err := repo.Between(ctx, head, bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
	sorted, err := repo.Sorted(ctx, []string{head.Short(), base.Short()})
	if err != nil || len(sorted) != 2 || sorted[0].Hash != base.Hash || sorted[1].Subject != "four" {
		t.Error(sorted, err)
	}
	if _, err := repo.Sorted(ctx, []string{head.Short(), "123456789abc"}); err == nil {
		t.Error("a commit that is not there was sorted")
	}
	for _, bad := range []string{"nosuch", "--help", "HEAD:strength"} {
		if _, err := repo.Commit(ctx, bad); err == nil || !strings.Contains(err.Error(), "no commit") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := OpenRepo(ctx, t.TempDir()); err == nil || !strings.Contains(err.Error(), "is in no git repository") {
		t.Error(err)
	}
}
