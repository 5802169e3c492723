package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
)

// mostFiles bounds the files and folders of a commit: a few kilobytes of objects can name a
// billion.
const mostFiles = 1 << 20

// tooBig is the error of such a commit.
type tooBig struct{ what string }

func (e *tooBig) Error() string { return e.what }

// mostEncoded is by how much a file may grow that attributes encode in the working tree.
const mostEncoded = 4

// measure refuses a commit whose files are more than a build may write.
func (r *Repo) measure(ctx context.Context, commit Commit, most int64) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := gitCommand(ctx, r.view, nil, "ls-tree", "-r", "-t", "-l", "-z", "--full-tree", commit.Hash)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var size int64
	var over error
	entries := bufio.NewScanner(out) // a name that is longer than its lines may be is an error too
	entries.Split(splitZero)
	for n := 1; over == nil && entries.Scan(); n++ {
		if f := bytes.Fields(entries.Bytes()); len(f) > 3 { // mode, kind, object, size or "-", name
			bytes, _ := strconv.ParseInt(string(f[3]), 10, 64)
			size += bytes
		}
		switch {
		case n > mostFiles:
			over = &tooBig{fmt.Sprintf("it has over %d files and folders", mostFiles)}
		case size > most/mostEncoded:
			over = &tooBig{fmt.Sprintf("its files take over %s", mebibytes(most/mostEncoded))}
		}
	}
	if over != nil {
		cancel()
		_ = cmd.Wait()
		return over
	}
	return errors.Join(entries.Err(), cmd.Wait())
}

// splitZero splits text at its zero bytes.
func splitZero(text []byte, _ bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return i + 1, text[:i], nil
	}
	return 0, nil, nil
}

// clone makes a clone at dir with the files of a commit, which may take so many bytes. It shares
// no file with the repository, so that a build cannot change one.
func (r *Repo) clone(ctx context.Context, commit Commit, dir string, most int64) error {
	if err := r.measure(ctx, commit, most); err != nil {
		return err
	}
	format, err := git(ctx, r.view, nil, "rev-parse", "--show-object-format")
	if err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--template=", "--object-format=" + format, "."},
		{
			"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--update-shallow", "--no-recurse-submodules", r.view,
			"+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*", commit.Hash,
		},
		{"checkout", "--quiet", "--detach", commit.Hash},
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if _, err := git(ctx, dir, nil, args...); err != nil {
			return fmt.Errorf("cloning %s of %s: git %s: %w", commit.Short(), r.top, args[0], err)
		}
	}
	return nil
}
