package source

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// builds makes a build.
func builds(t *testing.T, c *Cache, spec arena.EngineSpec) *Built {
	t.Helper()
	b, err := c.Build(t.Context(), &spec, quiet)
	gametest.OK(t, err)
	return b
}

// fails makes a build that has to fail for a cause, which is a pattern.
func fails(t *testing.T, c *Cache, spec arena.EngineSpec, cause string) *BuildError {
	t.Helper()
	_, err := c.Build(t.Context(), &spec, quiet)
	failed := &BuildError{}
	if !errors.As(err, &failed) || !regexp.MustCompile(cause).MatchString(failed.Cause) {
		t.Errorf("%s: %.999v, want %s", spec.Build, err, cause)
	}
	return failed
}

// A build is kept for its commit and its commands, and one that was cut off is begun again.
func TestBuildsAreKept(t *testing.T) {
	dir, c := repository(t, "one"), cacheIn(t)
	spec := arena.EngineSpec{Git: dir, Build: "cp strength $OUT/engine"}
	b := builds(t, c, spec)
	spec.Ref = "main"
	if again := builds(t, c, spec); again.Took != 0 || again.Out != b.Out {
		t.Errorf("%+v, and again %+v", b, again)
	}
	write(t, filepath.Join(b.Out, "half"), "")
	gametest.OK(t, os.Remove(filepath.Join(b.Out, "..", "done"))) // as kill -9 leaves it
	if builds(t, c, spec).Took == 0 {
		t.Error("half a build is taken for one")
	}
	for _, name := range []string{"half", "../clone"} {
		if _, err := os.Stat(filepath.Join(b.Out, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestBase(t *testing.T) {
	dir := repository(t, "one", "two")
	run(t, dir, "switch", "-q", "-c", "branch")
	commit(t, dir, "three")
	run(t, dir, "switch", "-q", "main")
	commit(t, dir, "four")
	repo, err := OpenRepo(t.Context(), dir)
	gametest.OK(t, err)
	defer repo.Close()
	head, err := repo.Commit(t.Context(), "branch")
	gametest.OK(t, err)
	if base, err := repo.Base(t.Context(), head); err != nil || base.Subject != "two" {
		t.Error(base, err)
	}
}

func TestAFailedBuildShowsItsEnd(t *testing.T) {
	dir, c := repository(t, "one"), cacheIn(t)
	for range 2 { // it is not kept as done
		build := "seq 100\necho broken >&2\nfalse\necho unreached"
		failed := fails(t, c, arena.EngineSpec{Git: dir, Build: build}, "^exit status 1$")
		last := len(failed.Last) - 1
		if last != lastLines-1 || failed.Last[last] != "broken" || failed.Last[last-1] != "100" {
			t.Errorf("last lines %q", failed.Last)
		}
		if log := read(t, failed.Log); !strings.Contains(log, "\n1\n2\n") || strings.Count(log, "broken\n") != 1 {
			t.Errorf("log %q", log)
		}
	}
}

func TestBuildsAreConfined(t *testing.T) {
	requireBoxes(t)
	dir, c := repository(t, "one"), cacheIn(t)
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "secret\n")
	b := builds(t, c, arena.EngineSpec{Git: dir, Build: `
		echo x > ` + dir + `/taken || echo refused: the repository >> $OUT/notes
		cat ` + secret + ` || echo refused: files of others >> $OUT/notes
		echo x > $HOME/mine && echo x > $TMPDIR/mine && echo x > mine && rm mine && echo home, tmp and clone >> $OUT/notes
		git describe --always --abbrev=40 --dirty >> $OUT/notes # as go build stamps it`})
	want := "refused: the repository\nrefused: files of others\nhome, tmp and clone\n" + b.Hash + "\n"
	notes, log := read(t, filepath.Join(b.Out, "notes")), read(t, b.Log)
	if notes != want || strings.Contains(log, "\nsecret\n") {
		t.Errorf("it notes %q, want %q\n%s", notes, want, log)
	}
}

// requireBoxes skips a test on a machine that cannot confine a build.
func requireBoxes(t *testing.T) {
	t.Helper()
	gametest.Sequential(t)
	host, err := host()
	gametest.OK(t, err)
	for _, missing := range host.Report().Missing() {
		if !strings.HasPrefix(missing, "a limit of") {
			t.Skipf("this machine lacks %s", missing)
		}
	}
}

func TestBenchIsAskedOnce(t *testing.T) {
	dir, c := repository(t, "one"), cacheIn(t)
	spec := arena.EngineSpec{Git: dir, Build: "true", Bench: "echo x >> $HOME/asked; echo '4242 nodes 99 nps'"}
	for range 2 {
		b := builds(t, c, spec)
		if asked := read(t, filepath.Join(b.Out, "../home/asked")); b.Signature != "4242" || asked != "x\n" {
			t.Errorf("%+v, asked %q", b, asked)
		}
	}
	spec.Bench = "echo nothing"
	if _, err := c.Build(t.Context(), &spec, quiet); err == nil || !strings.Contains(err.Error(), "no signature") {
		t.Errorf("a bench without a number: %v", err)
	}
}

// The identity of an engine is that of its build, wherever the cache is, and has an interpreter in it.
func TestApply(t *testing.T) {
	gametest.Sequential(t)
	dir, c := repository(t, "one"), cacheIn(t)
	b := builds(t, c, arena.EngineSpec{Git: dir, Build: "printf '#!/bin/sh\\n' > $OUT/engine; chmod +x $OUT/engine"})
	spec := arena.EngineSpec{Command: []string{"$OUT/engine", "--data=${OUT}/data"}}
	gametest.OK(t, b.Apply(&spec))
	if spec.Command[1] != "--data="+b.Out+"/data" || spec.Binary != b.Key {
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
		t.Errorf("%+v: %v", shell, err)
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
