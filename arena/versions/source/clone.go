package source

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
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
	entries := bufio.NewReaderSize(out, 64<<10)
	for n := 1; over == nil; n++ {
		entry, err := entries.ReadSlice(0)
		if err == io.EOF {
			return cmd.Wait()
		}
		if f := bytes.Fields(entry); len(f) > 3 { // mode, kind, object, size or "-", name
			bytes, _ := strconv.ParseInt(string(f[3]), 10, 64)
			size += bytes
		}
		switch {
		case err != nil: // also that a name is longer than its buffer
			over = err
		case n > mostFiles:
			over = &tooBig{fmt.Sprintf("it has over %d files and folders", mostFiles)}
		case size > most/mostEncoded:
			over = &tooBig{fmt.Sprintf("its files take over %s", mebibytes(most/mostEncoded))}
		}
	}
	cancel()
	_ = cmd.Wait()
	return over
}

// clone makes a clone at dir with the files of a commit, which may take so many bytes. It shares
// no file with the repository, so that a build cannot change one.
func (r *Repo) clone(ctx context.Context, commit Commit, dir string, most int64) error {
	if err := r.measure(ctx, commit, most); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--template=", "--object-format=" + r.format, "."},
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
