package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/proc"
	"thera/arena/sandbox"
)

// BuildError is a command that failed.
type BuildError struct {
	Step   string // fetch, build or bench
	Commit Commit
	Cause  string   // "exit status 2"
	Last   []string // last lines of its output
	Log    string   // file with the end of the output of each command
}

func (e *BuildError) Error() string {
	text := fmt.Sprintf("%s of %s failed: %s (log: %s)", e.Step, e.Commit.Short(), e.Cause, e.Log)
	for _, line := range e.Last {
		text += "\n  " + line
	}
	return text
}

// work makes one build.
type work struct {
	cache *Cache
	spec  *arena.EngineSpec
	repo  *Repo
	built *Built
	dir   string
	tools tools
	say   func(string)
}

func (w *work) failed(step, cause string, last []string) error {
	return &BuildError{Step: step, Commit: w.built.Commit, Cause: cause, Last: last, Log: w.built.Log}
}

func (w *work) clone() string { return filepath.Join(w.dir, "clone") }

// deps is where the commands keep modules and caches, for all commits of a repository.
func (w *work) deps() string {
	if w.cache.Apart {
		return filepath.Join(w.dir, "deps")
	}
	return filepath.Join(w.cache.dir, "deps", digest(w.repo.git)[:32])
}

// build clones, fetches and builds. A build that was cut off is begun again.
func (w *work) build(ctx context.Context) error {
	if err := remove(w.dir); err != nil {
		return fmt.Errorf("an unfinished build: %w", err)
	}
	for _, dir := range []string{w.built.Out, w.deps(), filepath.Join(w.dir, "home"), filepath.Join(w.dir, "tmp")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	w.say("building " + w.built.Short() + " " + w.built.Subject)
	limited, cancel := context.WithTimeoutCause(ctx, w.cache.limits.clone, fmt.Errorf("it took more than %v", w.cache.limits.clone))
	defer cancel()
	cause, err := w.repo.clone(limited, w.built.Commit, w.clone(), w.cache.limits.disk)
	if cause != "" {
		return w.failed("clone", cause, nil)
	}
	if err != nil {
		return err
	}
	dir := filepath.Join(w.clone(), filepath.FromSlash(w.repo.prefix))
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("commit %s has no folder %s", w.built.Short(), w.repo.prefix)
	}
	for _, step := range []step{
		{name: "fetch", command: w.spec.Fetch, dir: dir, network: true, write: []string{w.clone(), w.deps()}},
		{name: "build", command: w.spec.Build, dir: dir, write: []string{w.clone(), w.built.Out, filepath.Join(w.deps(), "go-build")}},
	} {
		if step.command == "" {
			continue
		}
		if _, err := w.run(ctx, step); err != nil {
			return err
		}
	}
	for _, name := range []string{"clone", "deps", "tmp"} { // only the result is kept
		if err := remove(filepath.Join(w.dir, name)); err != nil {
			return err
		}
	}
	if cause = foreign(w.built.Out); cause != "" {
		return w.failed("build", cause, nil)
	}
	return nil
}

// bench runs the bench command and returns the signature that it prints.
func (w *work) bench(ctx context.Context) (string, error) {
	for _, name := range []string{"home", "tmp"} {
		if err := os.MkdirAll(filepath.Join(w.dir, name), 0o700); err != nil {
			return "", err
		}
	}
	step := step{name: "bench", command: w.spec.Bench, dir: w.built.Out}
	lines, err := w.run(ctx, step)
	if err != nil {
		return "", err
	}
	found := signature(lines)
	if found == "" {
		return "", w.failed(step.name, "no signature: expected a number, as in \"signature 123456\"", lines)
	}
	return found, nil
}

// step is one command.
type step struct {
	name, command string
	dir           string
	network       bool
	write         []string
}

// run runs a command of the recipe and returns the last lines of its output.
func (w *work) run(ctx context.Context, s step) ([]string, error) {
	for _, dir := range s.write { // the command before this one could write there
		if err := errors.Join(os.MkdirAll(dir, 0o700), unmoved(dir, dir)); err != nil {
			return nil, err
		}
	}
	if err := unmoved(s.dir, w.dir); err != nil {
		return nil, err
	}
	box, err := w.box(s)
	if err != nil {
		return nil, err
	}
	spawner, err := proc.NewSpawner()
	if err != nil {
		return nil, err
	}
	defer spawner.Close()
	before := w.disk() // the command may write at once
	p, err := spawner.Start(proc.Spec{
		// The end of stderr is kept.
		Argv: []string{"/bin/sh", "-ec", "exec >&2\n" + s.command}, Dir: s.dir, Env: w.environment(s),
		Memory: w.cache.limits.bytes, Box: box,
	})
	if err != nil {
		return nil, err
	}
	p.CloseStdin()
	cause := w.await(ctx, p, before)
	if err := p.Close(); err != nil {
		return nil, err
	}
	if err := w.log(fmt.Sprintf("== %s: %s\n%s", s.name, s.command, p.Stderr())); err != nil {
		return nil, err
	}
	if exit, over := p.Exited(); cause == "" && over && (exit.Code != 0 || exit.Signal != 0) {
		cause = "exit status " + exit.String()
	}
	lines := endOf(p.Stderr())
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case cause != "":
		return nil, w.failed(s.name, cause, lines)
	}
	return lines, nil
}

// await waits for the end of a command, when the files that it can write had before bytes. It
// returns why the command must be ended early, or "".
//
// Files count by their lengths and names: what a command writes to a file that it
// has deleted is not seen.
func (w *work) await(ctx context.Context, p *proc.Process, before int64) (cause string) {
	limits := &w.cache.limits
	late := time.After(limits.time)
	for wait := 50 * time.Millisecond; ; {
		over := false
		select {
		case <-p.Done():
			over = true
		case <-time.After(wait):
		case <-late:
			return fmt.Sprintf("it took more than %v", limits.time)
		case <-ctx.Done():
			return ""
		}
		begun := time.Now()
		grown, used := w.disk()-before, p.OverMemory()
		switch {
		case used > 0:
			return fmt.Sprintf("it used %s of memory, and %s are allowed", mebibytes(used), mebibytes(limits.bytes))
		case grown > limits.disk:
			return fmt.Sprintf("it used %s of disk, and %s are allowed", mebibytes(grown), mebibytes(limits.disk))
		case over:
			return ""
		}
		wait = max(wait, 10*time.Since(begun)) // large trees take long
	}
}

// disk is the size of all files that the commands of a build can write.
func (w *work) disk() (sum int64) {
	if sum = files.Size(w.dir); !w.cache.Apart {
		sum += files.Size(w.deps())
	}
	return sum
}

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }

// log adds text to the log.
func (w *work) log(text string) error {
	file, err := os.OpenFile(w.built.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// box is the sandbox of a command, nil if the machine or the recipe has none.
func (w *work) box(s step) (*sandbox.Box, error) {
	if w.spec.Sandbox == sandbox.Off {
		return nil, nil
	}
	host, err := w.cache.host()
	if err != nil {
		return nil, err
	}
	if missing := host.Report().Missing(); w.spec.Sandbox == sandbox.Require && len(missing) > 0 {
		return nil, &sandbox.MissingError{Engine: "the build of " + w.built.Short(), Missing: missing}
	}
	p := sandbox.Policy{
		Dir: s.dir, Network: s.network,
		Write: append(slices.Clone(s.write), filepath.Join(w.dir, "home"), filepath.Join(w.dir, "tmp")),
	}
	p.Read = slices.Concat(sandbox.System(), w.tools.read(w.spec.Fetch == ""), []string{w.dir, w.deps()})
	p.Read = slices.DeleteFunc(p.Read, func(path string) bool {
		_, err := os.Stat(path)
		return err != nil
	})
	return host.Box(p), nil
}

// forNetwork are variables of the user that say how to reach the network.
var forNetwork = []string{
	"http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"GOPROXY", "GONOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE",
}

// environment is what the commands see besides what engines see. Modules come
// from the fetch command, or without one from the user's caches.
func (w *work) environment(s step) []string {
	mods, cargo := goModules(), cargoHome()
	if w.spec.Fetch != "" {
		mods, cargo = filepath.Join(w.deps(), "go-mod"), filepath.Join(w.deps(), "cargo")
	}
	env := []string{
		"OUT=" + w.built.Out, "HOME=" + filepath.Join(w.dir, "home"), "TMPDIR=" + filepath.Join(w.dir, "tmp"),
		"GOMODCACHE=" + mods, "GOCACHE=" + filepath.Join(w.deps(), "go-build"), "CARGO_HOME=" + cargo, "RUSTUP_HOME=" + rustupHome(),
		// The clone may belong to another user inside the sandbox, where the
		// system's settings cannot be read.
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
	}
	if !s.network {
		return append(env, "GOPROXY=off", "GOFLAGS=-modcacherw", "CARGO_NET_OFFLINE=true")
	}
	pass := w.cache.Pass
	if pass == nil {
		pass = forNetwork
	}
	for _, name := range pass {
		if value := os.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return append(env, "GOFLAGS=-modcacherw")
}

// remove deletes a folder, also one whose subfolders are read-only.
func remove(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// lastLines is how many lines of output an error shows.
const lastLines = 20

// endOf returns the last lines of a text that are not empty.
func endOf(text string) []string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
	lines = lines[max(0, len(lines)-lastLines):]
	for i, line := range lines {
		lines[i] = strings.TrimRight(line[:min(len(line), 500)], "\r")
	}
	return lines
}

// labelled is a signature with its name, as engines print it: "signature 123",
// "Nodes searched: 123", "Bench: 123", "123 nodes 456 nps".
var (
	labelled = arena.Pattern(`(?i)(?:signature|bench|nodes searched|total nodes)\s*[:=]?\s*([0-9]+)|\b([0-9]+) nodes\b`)
	number   = arena.Pattern(`^\s*([0-9]+)\s*$`)
)

// signature returns the signature in the output of a bench: the last labelled
// number, or else a last line that is a number. "" if there is none.
func signature(lines []string) string {
	for _, line := range slices.Backward(lines) {
		if all := labelled().FindAllStringSubmatch(line, -1); len(all) > 0 {
			return strings.Join(all[len(all)-1][1:], "")
		}
	}
	if len(lines) > 0 {
		if m := number().FindStringSubmatch(lines[len(lines)-1]); m != nil {
			return m[1]
		}
	}
	return ""
}
