package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"thera/arena"
)

// Commit is one version of an engine.
type Commit struct {
	Hash      string `json:"commit"`
	Subject   string `json:"subject"`             // first line of the message
	Announced string `json:"announced,omitempty"` // the signature in the message, as "Bench: 123456"
}

// Short is the beginning of the hash, by which tables call the engine.
func (c Commit) Short() string { return c.Hash[:min(12, len(c.Hash))] }

// Repo is a git repository, read only. Its settings and hooks may be a stranger's:
// no command but one that only finds the repository reads them.
type Repo struct {
	top    string // folder of the working tree, or of a bare repository
	git    string // folder of the objects
	format string // of the hashes
	prefix string // of the folder that was named, below top
	bare   bool

	dir  string // of HEAD and of the index
	view string // a new bare repository with the same commits and references
}

// OpenRepo finds the repository of a folder. Close removes its view.
func OpenRepo(ctx context.Context, dir string) (*Repo, error) {
	if err := refuseEmbedded(dir); err != nil {
		return nil, err
	}
	text, err := git(ctx, dir, nil, "rev-parse", "--path-format=absolute", "--git-common-dir", "--git-dir", "--show-object-format",
		"--is-bare-repository", "--show-prefix")
	if err != nil {
		return nil, fmt.Errorf("%s is in no git repository: %w", dir, err)
	}
	lines := strings.Split(text+"\n", "\n") // the last one may be empty
	r := &Repo{
		top: dir, git: lines[0], dir: lines[1], format: lines[2], bare: lines[3] == "true",
		prefix: strings.TrimSuffix(lines[4], "/"),
	}
	if !r.bare {
		if r.top, err = git(ctx, dir, nil, "rev-parse", "--path-format=absolute", "--show-toplevel"); err != nil {
			return nil, err
		}
	}
	if err := r.look(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("reading %s: %w", r.git, err), r.Close())
	}
	return r, nil
}

// refuseEmbedded refuses a bare repository within a working tree. A commit can bring one, as a folder
// with a file HEAD, and its files can name another repository of this machine. Git looks for it
// before it looks for the working tree above, and reads the settings there.
func refuseEmbedded(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	for _, path := range []string{dir, resolved} {
		if found := embedded(path); found != "" {
			return fmt.Errorf("%s is a bare repository within a working tree, which may have brought it: name that, or a repository elsewhere", found)
		}
	}
	return nil
}

// embedded is the outermost bare repository around a path within its working tree, or "".
func embedded(path string) (found string) {
	has := func(name string) bool {
		_, err := os.Lstat(filepath.Join(path, name))
		return err == nil
	}
	for ; !has(".git"); path = filepath.Dir(path) {
		switch {
		case path == filepath.Dir(path):
			return "" // in no working tree
		case has("HEAD") && (has("objects") || has("commondir")):
			found = path
		}
	}
	return found
}

// Close removes what OpenRepo made.
func (r *Repo) Close() error { return os.RemoveAll(r.view) }

// look makes the view: the references as they are now, the objects as an alternate,
// and our settings, so that a clone can fetch any commit.
func (r *Repo) look(ctx context.Context) (err error) {
	if r.view, err = os.MkdirTemp("", "thera-git-"); err != nil {
		return err
	}
	if _, err := git(ctx, r.view, nil, "init", "--quiet", "--bare", "--template=", "--object-format="+r.format, "."); err != nil {
		return err
	}
	if _, err := git(ctx, r.view, nil, "config", "--file", "config", "uploadpack.allowAnySHA1InWant", "true"); err != nil {
		return err
	}
	objects := filepath.Join(r.git, "objects")
	if strings.Contains(objects, "\n") {
		return fmt.Errorf("the name of folder %q has two lines", objects)
	}
	if err := os.WriteFile(filepath.Join(r.view, "objects", "info", "alternates"), []byte(filepath.ToSlash(objects)+"\n"), 0o600); err != nil {
		return err
	}
	for _, name := range []string{"refs", "packed-refs", "shallow"} { // in this order: git packs what is loose
		if err := copyFiles(filepath.Join(r.git, name), filepath.Join(r.view, name)); err != nil {
			return err
		}
	}
	return nil
}

// copyFiles copies a file, or the regular files of a folder; one that is not there is
// left out.
func copyFiles(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		at := filepath.Join(to, strings.TrimPrefix(path, from))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(at, 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) { // references come and go
			return nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(at, text, 0o600)
	})
}

// ask runs a git command on the commits of the repository: its HEAD and its index,
// and of the rest the view alone.
func (r *Repo) ask(ctx context.Context, args ...string) (string, error) {
	return git(ctx, r.view, []string{"GIT_DIR=" + r.dir, "GIT_COMMON_DIR=" + r.view, "GIT_WORK_TREE=" + r.top}, args...)
}

// errOutput is the error of a command that prints more than mostOutput.
var errOutput = errors.New("git printed too much")

const mostOutput = 32 << 20

// git runs a git command that changes nothing outside dir and returns its output. It
// gets no settings but those of dir, and reaches no other machine.
func git(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "GIT_EXEC_PATH=")
	})
	cmd.Env = append(cmd.Env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		// Nothing of the repository is started, so it may be anybody's.
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
		// A partial clone would fetch what it lacks, as its settings say.
		"GIT_ALLOW_PROTOCOL=file", "GIT_NO_LAZY_FETCH=1",
		// What is measured and named must be what a clone gets, which knows no replacements.
		"GIT_NO_REPLACE_OBJECTS=1",
		// Optional locks would refresh the index of the user's working tree.
		"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	cmd.Env = append(cmd.Env, env...)
	var out, errs bounded
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	said := strings.TrimSpace(string(errs))
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case len(out) == mostOutput:
		return "", errOutput
	case err != nil && said != "":
		return "", errors.New(said)
	}
	return strings.TrimRight(string(out), "\n"), err
}

// bounded keeps the output of a command up to its bound.
type bounded []byte

// Write fails beyond the bound, which ends the command.
func (b *bounded) Write(text []byte) (int, error) {
	n := min(len(text), mostOutput-len(*b))
	if *b = append(*b, text[:n]...); n < len(text) {
		return n, errOutput
	}
	return n, nil
}

// announced is the convention of commit messages, as "Bench: 123456".
var announced = arena.Pattern(`(?mi)^\s*(?:bench|signature)\s*[: ]\s*([0-9]+)\s*$`)

// Commit returns the commit that ref names; "" is HEAD.
func (r *Repo) Commit(ctx context.Context, ref string) (Commit, error) {
	ref = cmp.Or(ref, "HEAD")
	hash, err := r.ask(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	switch {
	case ctx.Err() != nil:
		return Commit{}, ctx.Err()
	case err != nil:
		return Commit{}, fmt.Errorf("no commit %q in %s", ref, r.top)
	}
	return r.read(ctx, hash)
}

// Sorted returns the commits that begin with these hashes, each after its ancestors.
func (r *Repo) Sorted(ctx context.Context, hashes []string) ([]Commit, error) {
	list, err := r.log(ctx, []string{"--topo-order", "--reverse"}, hashes...)
	return slices.DeleteFunc(list, func(c Commit) bool {
		return !slices.ContainsFunc(hashes, func(h string) bool { return strings.HasPrefix(c.Hash, h) })
	}), err
}

func (r *Repo) read(ctx context.Context, hash string) (Commit, error) {
	list, err := r.log(ctx, []string{"-1"}, hash)
	if err != nil {
		return Commit{}, err
	}
	return list[0], nil
}

// log returns the commits that git log shows.
func (r *Repo) log(ctx context.Context, options []string, of ...string) (list []Commit, err error) {
	args := []string{"log", "-z", "--no-show-signature", "--format=%H%n%s%n%B"}
	args = slices.Concat(args, options, []string{"--end-of-options"}, of, []string{"--"})
	text, err := r.ask(ctx, args...)
	if err != nil || text == "" {
		return nil, err
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
		lines := strings.SplitN(entry, "\n", 3)
		c := Commit{Hash: lines[0], Subject: lines[1]}
		if all := announced().FindAllStringSubmatch(lines[2], -1); len(all) > 0 {
			c.Announced = all[len(all)-1][1]
		}
		list = append(list, c)
	}
	return list, nil
}

// Dirty is the number of files that differ from HEAD, untracked ones and those of
// submodules left out. Filters that attributes name are not run: a file that they
// would change back may count.
func (r *Repo) Dirty(ctx context.Context) (int, error) {
	if r.bare {
		return 0, nil
	}
	text, err := r.ask(ctx, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
	if err != nil || text == "" {
		return 0, err
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
		base, err := r.ask(ctx, "merge-base", tip.Hash, head.Hash)
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
	if _, err := r.ask(ctx, "merge-base", "--is-ancestor", good.Hash, bad.Hash); err != nil {
		return nil, fmt.Errorf("%s is not an ancestor of %s", good.Short(), bad.Short())
	}
	list, err := r.log(ctx, []string{"--first-parent", "--reverse"}, good.Hash+".."+bad.Hash)
	if err != nil {
		return nil, err
	}
	if list == nil {
		return nil, fmt.Errorf("%s and %s are the same commit", good.Short(), bad.Short())
	}
	return slices.Insert(list, 0, good), nil
}

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
