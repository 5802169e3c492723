package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// measure says why the files of a commit are more than a build may write, or "". A few kilobytes of
// objects can name a billion files: git lists as many as fit into mostOutput.
func (r *Repo) measure(ctx context.Context, commit Commit, most int64) (cause string, err error) {
	most /= 4 // by so much attributes may have a file grow that they encode in the working tree
	list, err := git(ctx, r.view, nil, "ls-tree", "-r", "-t", "-l", "-z", "--full-tree", commit.Hash)
	if errors.Is(err, errOutput) {
		return "it has too many files and folders", nil
	}
	var size int64
	for entry := range strings.SplitSeq(list, "\x00") {
		if f := strings.Fields(entry); len(f) > 3 { // mode, kind, object, size or "-", name
			bytes, _ := strconv.ParseInt(f[3], 10, 64)
			size += bytes
		}
		if size > most {
			return "its files take over " + mebibytes(most), nil
		}
	}
	return "", err
}

// clone makes a clone at dir with the files of a commit, which may take most bytes. It shares
// no file with the repository, so that a build cannot change one. cause is what is wrong with it.
func (r *Repo) clone(ctx context.Context, commit Commit, dir string, most int64) (cause string, err error) {
	if cause, err := r.measure(ctx, commit, most); cause != "" || err != nil {
		return cause, err
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
			return "", err
		}
		if _, err := git(ctx, dir, nil, args...); err != nil {
			return "", fmt.Errorf("cloning %s of %s: git %s: %w", commit.Short(), r.top, args[0], err)
		}
	}
	return "", nil
}
