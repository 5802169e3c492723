package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Commit is one version of an engine.
type Commit struct {
	Hash      string `json:"commit"`
	Subject   string `json:"subject"`             // first line of the message
	Announced string `json:"announced,omitempty"` // the signature in the message, as "Bench: 123456"
}

// Short is the beginning of the hash, by which tables call the engine.
func (c Commit) Short() string { return c.Hash[:min(12, len(c.Hash))] }

// Repo is a git repository, read only.
type Repo struct {
	top    string // folder of the working tree, or of a bare repository
	git    string // folder of the objects
	prefix string // of the folder that was named, below top
}

// OpenRepo finds the repository of a folder.
func OpenRepo(ctx context.Context, dir string) (*Repo, error) {
	text, err := git(ctx, dir, "rev-parse", "--path-format=absolute", "--git-common-dir", "--is-bare-repository", "--show-prefix")
	if err != nil {
		return nil, fmt.Errorf("%s is in no git repository: %w", dir, err)
	}
	lines := strings.Split(text, "\n")
	if len(lines) < 2 {
		return nil, fmt.Errorf("%s: git rev-parse printed %q", dir, text)
	}
	r := &Repo{top: dir, git: lines[0]}
	if lines[1] == "true" {
		return r, nil
	}
	if len(lines) > 2 {
		r.prefix = strings.TrimSuffix(lines[2], "/")
	}
	r.top, err = git(ctx, dir, "rev-parse", "--path-format=absolute", "--show-toplevel")
	return r, err
}

// git runs a git command that changes nothing in dir and returns its output.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	// Optional locks would refresh the index of the user's working tree.
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if said := strings.TrimSpace(errs.String()); said != "" {
			return "", errors.New(said)
		}
		return "", err
	}
	return strings.TrimRight(out.String(), "\n"), nil
}

// announced is the convention of commit messages, as "Bench: 123456".
var announced = regexp.MustCompile(`(?mi)^\s*(?:bench|signature)\s*[: ]\s*([0-9]+)\s*$`)

// Commit returns the commit that ref names; "" is HEAD.
func (r *Repo) Commit(ctx context.Context, ref string) (Commit, error) {
	if ref == "" {
		ref = "HEAD"
	}
	hash, err := git(ctx, r.top, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return Commit{}, ctx.Err()
		}
		return Commit{}, fmt.Errorf("no commit %q in %s", ref, r.top)
	}
	return r.read(ctx, hash)
}

// Sorted returns the commits that begin with these hashes, without their
// announcements, each after its ancestors.
func (r *Repo) Sorted(ctx context.Context, hashes []string) ([]Commit, error) {
	text, err := git(ctx, r.top, append([]string{"log", "--topo-order", "--reverse", "--no-show-signature", "--format=%H %s", "--end-of-options"}, hashes...)...)
	if err != nil {
		return nil, err
	}
	var list []Commit
	for line := range strings.SplitSeq(text, "\n") {
		hash, subject, _ := strings.Cut(line, " ")
		if slices.ContainsFunc(hashes, func(h string) bool { return strings.HasPrefix(hash, h) }) {
			list = append(list, Commit{Hash: hash, Subject: subject})
		}
	}
	return list, nil
}

func (r *Repo) read(ctx context.Context, hash string) (Commit, error) {
	text, err := git(ctx, r.top, "log", "-1", "--no-show-signature", "--format=%s%n%B", hash, "--")
	if err != nil {
		return Commit{}, err
	}
	subject, message, _ := strings.Cut(text, "\n")
	c := Commit{Hash: hash, Subject: subject}
	if all := announced.FindAllStringSubmatch(message, -1); len(all) > 0 {
		c.Announced = all[len(all)-1][1]
	}
	return c, nil
}

// Dirty is the number of files that differ from HEAD, untracked ones left out
// as by git describe --dirty.
func (r *Repo) Dirty(ctx context.Context) (int, error) {
	text, err := git(ctx, r.top, "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		if bare, _ := git(ctx, r.top, "rev-parse", "--is-bare-repository"); bare == "true" {
			return 0, nil
		}
		return 0, err
	}
	if text == "" {
		return 0, nil
	}
	return strings.Count(text, "\n") + 1, nil
}

// mainBranches are tried in this order for the base of a branch.
var mainBranches = []string{"origin/main", "main", "origin/master", "master"}

// Base returns the commit at which head left the main branch.
func (r *Repo) Base(ctx context.Context, head Commit) (Commit, error) {
	for _, branch := range mainBranches {
		tip, err := r.Commit(ctx, branch)
		if err != nil {
			continue
		}
		base, err := git(ctx, r.top, "merge-base", tip.Hash, head.Hash)
		if err != nil {
			return Commit{}, fmt.Errorf("%s and %s have no common commit: name the base", branch, head.Short())
		}
		if base == head.Hash {
			return Commit{}, fmt.Errorf("%s is already on %s: name the base, as in HEAD~1", head.Short(), branch)
		}
		return r.read(ctx, base)
	}
	return Commit{}, fmt.Errorf("no branch %s in %s: name the base", strings.Join(mainBranches, ", "), r.top)
}

// Between returns the commits from good to bad, both included, on the line of
// first parents. good must be an ancestor of bad.
func (r *Repo) Between(ctx context.Context, good, bad Commit) ([]Commit, error) {
	if _, err := git(ctx, r.top, "merge-base", "--is-ancestor", good.Hash, bad.Hash); err != nil {
		return nil, fmt.Errorf("%s is not an ancestor of %s", good.Short(), bad.Short())
	}
	text, err := git(ctx, r.top, "rev-list", "--first-parent", good.Hash+".."+bad.Hash)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, fmt.Errorf("%s and %s are the same commit", good.Short(), bad.Short())
	}
	list := []Commit{good}
	hashes := strings.Split(text, "\n")
	slices.Reverse(hashes)
	for _, hash := range hashes {
		c, err := r.read(ctx, hash)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// clone makes a clone at dir with the files of a commit. It shares no file with
// the repository, so that a build cannot change one.
func (r *Repo) clone(ctx context.Context, commit Commit, dir string) error {
	if _, err := git(ctx, filepath.Dir(dir), "clone", "--quiet", "--no-hardlinks", "--no-checkout", "--template=", "-c", "core.hooksPath="+os.DevNull, "--", r.git, dir); err != nil {
		return fmt.Errorf("cloning %s: %w", r.top, err)
	}
	if _, err := git(ctx, dir, "cat-file", "-e", commit.Hash); err != nil { // on no branch
		if _, err := git(ctx, dir, "fetch", "--quiet", r.git, commit.Hash); err != nil {
			return fmt.Errorf("fetching %s from %s: %w", commit.Short(), r.top, err)
		}
	}
	if _, err := git(ctx, dir, "checkout", "--quiet", "--detach", commit.Hash); err != nil {
		return fmt.Errorf("checking out %s: %w", commit.Short(), err)
	}
	return nil
}
