// Package source builds engines from commits of a git repository and keeps the
// results in a cache.
//
// Each commit is built in a separate clone, so that the repository and its
// working tree stay as they are. Only the fetch command has a network; it cannot
// write outside the clone and the caches of the builder. The build command runs
// in the sandbox of engines, without a network. The package refuses to build
// what is not committed, and to use a build that did not finish.
package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/sandbox"
)

// Built is the result of a build.
type Built struct {
	Commit
	Dirty     int           // files of the working tree that differ from the commit; they were not built
	Key       string        // the engine's identity: commit, commands, toolchain and platform
	Out       string        // folder with the result
	Log       string        // file with the end of the output of each command
	Signature string        // what the bench command printed
	Took      time.Duration // 0 if it was built before
}

// String names the commit, and a working tree with changes as such.
func (b *Built) String() string {
	if b.Dirty > 0 {
		return fmt.Sprintf("%s (dirty tree: %s changed, not built)", b.Short(), arena.Plural(b.Dirty, "file"))
	}
	return b.Short()
}

// Apply makes spec start the build: it replaces $OUT in its command and sets its
// identity. The error is a command that the build did not make.
func (b *Built) Apply(spec *arena.EngineSpec) error {
	words := make([]string, len(spec.Command))
	for i, word := range spec.Command {
		words[i] = strings.NewReplacer("$OUT", b.Out, "${OUT}", b.Out).Replace(word)
	}
	program, err := exec.LookPath(words[0])
	if err != nil {
		return fmt.Errorf("the build of %s made no program %s: %w (log: %s)", b.Short(), spec.Command[0], err, b.Log)
	}
	if words[0], err = filepath.Abs(program); err != nil {
		return err
	}
	spec.Binary = b.Key
	if !strings.HasPrefix(words[0], b.Out+string(filepath.Separator)) { // an interpreter, for example
		sum, err := files.Sum(words[0])
		if err != nil {
			return err
		}
		spec.Binary = digest(b.Key, sum)
	}
	spec.Command, spec.Out, spec.Commit, spec.Signature = words, b.Out, b.String(), b.Signature
	// Its build has one identity; these are looked at while it plays.
	spec.Hashed, err = files.Of(words, spec.Dir, []string{})
	return err
}

// Cache keeps builds in a folder. It is safe for concurrent use, also by
// several processes.
type Cache struct {
	Pass  []string // variables of this machine that fetch gets; nil: those that say how to reach the network
	Apart bool     // commits share no files of fetch, with which one could fill those of another

	dir    string
	limits limits
	host   func() (*sandbox.Host, error)
}

// limits bound one command.
type limits struct {
	clone time.Duration // for git
	time  time.Duration // of a command
	bytes int64         // memory of all its processes together
	disk  int64         // bytes by which its files may grow
}

// CacheDir is the folder that the environment variable THERA_CACHE names, or else one
// in the user's cache.
func CacheDir() (string, error) {
	if dir := os.Getenv("THERA_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for what is built or shipped: %w (THERA_CACHE names one)", err)
	}
	return filepath.Join(user, "thera"), nil
}

// Open returns the cache in CacheDir.
func Open() (*Cache, error) {
	dir, err := CacheDir()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("folder for builds: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	return &Cache{
		dir: dir, host: sync.OnceValues(sandbox.Open),
		limits: limits{clone: 15 * time.Minute, time: 15 * time.Minute, bytes: 4 << 30, disk: 8 << 30},
	}, nil
}

// Build returns the build of an engine's commit, from the cache if it is there. Its
// commands run in the folder of the clone that Git is in the repository. say gets a
// line about each step that takes time. The error is a *BuildError if a command
// failed.
func (c *Cache) Build(ctx context.Context, r *arena.EngineSpec, say func(string)) (_ *Built, err error) {
	repo, err := OpenRepo(ctx, r.Git)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, repo.Close()) }()
	b := &Built{}
	if b.Commit, err = repo.Commit(ctx, r.Ref); err != nil {
		return nil, err
	}
	if r.Ref == "" || r.Ref == "HEAD" {
		if b.Dirty, err = repo.Dirty(ctx); err != nil {
			return nil, err
		}
	}
	tools := toolchain(r.Fetch + "\n" + r.Build)
	b.Key = digest("3", b.Hash, repo.prefix, r.Fetch, r.Build, runtime.GOOS+"/"+runtime.GOARCH, strings.Join(tools.sums(), "\n"))
	dir := filepath.Join(c.dir, "builds", b.Key[:32])
	b.Out, b.Log = filepath.Join(dir, "out"), filepath.Join(dir, "log")
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, dir+".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	w := &work{cache: c, spec: r, repo: repo, built: b, dir: dir, tools: tools, say: say}
	done := filepath.Join(dir, "done") // is written last, with the bench command and what it printed
	text, err := os.ReadFile(done)
	if err != nil {
		begun := time.Now()
		if err := w.build(ctx); err != nil {
			return nil, err
		}
		b.Took = time.Since(begun)
		if err := files.Create(done, nil, 0o600); err != nil {
			return nil, err
		}
	}
	if r.Bench == "" {
		return b, nil
	}
	bench, printed, _ := strings.Cut(string(text), "\x00")
	if bench == r.Bench {
		b.Signature = printed
		return b, nil
	}
	if b.Signature, err = w.bench(ctx); err != nil {
		return nil, err
	}
	return b, files.Replace(done, func(out io.Writer) error {
		_, err := io.WriteString(out, r.Bench+"\x00"+b.Signature)
		return err
	})
}

// lock waits until no other process or goroutine has the lock of a build.
func lock(ctx context.Context, name string) (unlock func() error, err error) {
	for {
		if unlock, err = files.Lock(name, 0); !errors.Is(err, files.ErrLocked) {
			return unlock, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// digest is the SHA-256 of words, none of which can run into the next.
func digest(words ...string) string {
	return fmt.Sprintf("%x", sha256.Sum256(arena.JSON(words)))
}

// compilers are part of every toolchain, because a Makefile calls them.
var compilers = []string{"cc", "c++", "gcc", "g++", "clang", "clang++", "ld", "go", "rustc", "cargo", "javac", "dotnet", "ghc", "zig"}

// tool is a program that builds may use.
type tool struct{ name, path, sum string }

// tools are those of one recipe, by name.
type tools []tool

var word = arena.Pattern(`[A-Za-z0-9_+.-]+`)

// toolchain finds the compilers of this machine and the programs in PATH that
// the commands name.
func toolchain(commands string) tools {
	names := append(slices.Clone(compilers), word().FindAllString(commands, -1)...)
	slices.Sort(names)
	var list tools
	for _, name := range slices.Compact(names) {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			continue
		}
		sum, err := files.Sum(path)
		if err != nil {
			continue // it cannot be read, so it is no part of the identity
		}
		list = append(list, tool{name, path, sum})
	}
	return list
}

func (t tools) sums() []string {
	return arena.Map(t, func(of tool) string { return of.name + " " + of.sum })
}

// read are the folders of the tools, what is installed with the compilers, and with caches
// those of the user's modules.
func (t tools) read(caches bool) []string {
	home, _ := os.UserHomeDir()
	if resolved, err := filepath.EvalSymlinks(home); err == nil {
		home = resolved // as the paths of the tools are
	}
	list := []string{rustupHome()}
	for _, tool := range t {
		list = append(list, tool.path)
		if slices.Contains(compilers, tool.name) {
			list = append(list, installedWith(tool.path, home)...)
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil && filepath.IsAbs(dir) && resolved != home {
			list = append(list, dir)
		}
	}
	if caches {
		list = append(list, goModules())
		for _, name := range []string{"bin", "registry", "git", "config.toml"} { // and no credentials
			list = append(list, filepath.Join(cargoHome(), name))
		}
		for _, name := range []string{".m2/repository", ".gradle/caches", ".nuget/packages"} {
			list = append(list, filepath.Join(home, name))
		}
	}
	return list
}

// installedWith are the files of a compiler: PREFIX/bin/program has them in PREFIX. A prefix in
// the home folder may have files of the user's beside them, as ~/.local and ~/.cargo have.
func installedWith(program, home string) []string {
	dir := filepath.Dir(program)
	prefix := filepath.Dir(dir)
	switch {
	case filepath.Base(dir) != "bin" || prefix == "/" || prefix == home || strings.HasPrefix(home, prefix+"/"):
		return nil
	case !strings.HasPrefix(prefix, home+"/"):
		return []string{prefix}
	}
	names := []string{"lib", "lib64", "libexec", "include", "conf", "jmods", "release"}
	if _, err := os.Stat(filepath.Join(prefix, "VERSION")); err == nil { // of Go
		names = append(names, "VERSION", "go.env", "pkg", "src")
	}
	return arena.Map(names, func(name string) string { return filepath.Join(prefix, name) })
}

// inHome is the folder that a variable names, or one in the home folder.
func inHome(variable, usual string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, usual)
}

func goModules() string {
	if dir := os.Getenv("GOMODCACHE"); filepath.IsAbs(dir) {
		return dir
	}
	first, _, _ := strings.Cut(inHome("GOPATH", "go"), string(filepath.ListSeparator))
	return filepath.Join(first, "pkg", "mod")
}

func cargoHome() string  { return inHome("CARGO_HOME", ".cargo") }
func rustupHome() string { return inHome("RUSTUP_HOME", ".rustup") }
