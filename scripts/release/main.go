// Command release builds the archives of a release into the folder dist:
//
//	go run ./scripts/release VERSION              linux, darwin and windows, on amd64 and arm64
//	go run ./scripts/release VERSION linux/amd64  only these
//
// It builds the commit that is checked out, not what is changed in the working tree. The same
// commit and the same version of Go give the same bytes, on any machine.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

var targets = []string{
	"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64",
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/release VERSION [OS/ARCH…]")
		os.Exit(2)
	}
	wanted := os.Args[2:]
	if len(wanted) == 0 {
		wanted = targets
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := release(ctx, ".", "dist", os.Args[1], wanted); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release builds the commit that is checked out in the repository at root, and writes archives
// and their checksums to the folder out.
func release(ctx context.Context, root, out, version string, targets []string) (err error) {
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	b, err := clone(ctx, root, filepath.Join(work, "src"), version)
	if err != nil {
		return err
	}
	pages, err := b.pages(ctx, work)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	for _, target := range slices.Sorted(slices.Values(targets)) {
		name, data, err := b.archive(ctx, target, filepath.Join(work, "thera"), pages)
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// build is a commit to be released.
type build struct {
	src, version, commit string
	when                 time.Time // of the commit
}

// clone copies the commit that is checked out at root: a build in a working tree depends on what
// else lies there.
func clone(ctx context.Context, root, src, version string) (*build, error) {
	b := &build{src: src, version: version}
	out, err := command(ctx, root, nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return nil, err
	}
	commit, seconds, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the time of commit %s: %w", commit, err)
	}
	b.commit, b.when = commit, time.Unix(unix, 0).UTC()
	if _, err := command(ctx, root, nil, "git", "clone", "-q", "--no-checkout", ".", src); err != nil {
		return nil, err
	}
	_, err = command(ctx, src, nil, "git", "checkout", "-q", commit)
	return b, err
}

// program builds thera for a target, "" this machine.
func (b *build) program(ctx context.Context, target, at string, flags ...string) error {
	words := append([]string{"go", "build", "-ldflags", "-s -w -buildid=", "-o", at}, flags...)
	_, err := command(ctx, b.src, environment(target), append(words, "./cmd/thera")...)
	return err
}

// environment is what a build may depend on.
func environment(target string) []string {
	env := []string{
		"CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=true -mod=readonly",
		"GOWORK=off", "GOENV=off", "GOAMD64=v1", "GOARM64=v8.0",
	}
	if system, arch, found := strings.Cut(target, "/"); found {
		env = append(env, "GOOS="+system, "GOARCH="+arch)
	}
	return env
}

// pages are the man pages and the completions of shells. Program and release must have one version.
func (b *build) pages(ctx context.Context, work string) ([]file, error) {
	here := filepath.Join(work, "here")
	if err := b.program(ctx, "", here); err != nil {
		return nil, err
	}
	env := []string{"THERA_DB=", fmt.Sprintf("SOURCE_DATE_EPOCH=%d", b.when.Unix())}
	out, err := command(ctx, work, env, here, "--version")
	if err != nil {
		return nil, err
	}
	if want := fmt.Sprintf("thera %s (%.12s, ", b.version, b.commit); !strings.HasPrefix(string(out), want) {
		return nil, fmt.Errorf("version %s: the program says %q, want %q", b.version, out, want)
	}
	var files []file
	names := map[string]string{"bash": "thera.bash", "zsh": "_thera", "fish": "thera.fish", "powershell": "thera.ps1"}
	for shell, name := range names {
		text, err := command(ctx, work, env, here, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, file{"completions/" + name, text, 0o644})
	}
	writer, man := filepath.Join(work, "manwriter"), filepath.Join(work, "man")
	if err := b.program(ctx, "", writer, "-tags", "man"); err != nil {
		return nil, err
	}
	if err := os.Mkdir(man, 0o755); err != nil {
		return nil, err
	}
	if _, err := command(ctx, work, env, writer, man); err != nil {
		return nil, err
	}
	texts, err := filepath.Glob(filepath.Join(man, "*.1"))
	for _, path := range texts {
		text, failed := os.ReadFile(path)
		files, err = append(files, file{"man/" + filepath.Base(path), text, 0o644}), errors.Join(err, failed)
	}
	return files, err
}

// command runs a command and returns what it prints.
func command(ctx context.Context, dir string, env []string, words ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	var complaint strings.Builder
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), env...), &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(words, " "), err, &complaint)
	}
	return out, nil
}
