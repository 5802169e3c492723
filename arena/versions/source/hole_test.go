package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/sandbox"
	"thera/engine/gametest"
)

// What the settings, hooks and attributes of a repository name is not started.
func TestHole04GitSettingsStartNothing(t *testing.T) {
	gametest.Sequential(t)
	dir, c := repository(t, "one", "two"), cacheIn(t)
	mark := filepath.Join(t.TempDir(), "mark")
	program := mark + "ing" // notes that it was started
	gametest.OK(t, os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\necho \"$0 $*\" >> %s\ncat\n", mark), 0o700))
	write(t, filepath.Join(dir, ".gitattributes"), "* filter=evil diff=evil merge=evil\n")
	write(t, filepath.Join(dir, ".gitmodules"), "[submodule \"inner\"]\n\tpath = inner\n\turl = ext::"+program+"\n\tupdate = !"+program+"\n")
	inner := filepath.Join(dir, "inner")
	gametest.OK(t, os.Mkdir(inner, 0o700))
	run(t, inner, "init", "-q", "-b", "main")
	commit(t, inner, "inner")
	run(t, inner, "config", "core.fsmonitor", program)
	commit(t, dir, "three")
	run(t, dir, "checkout", "-q", "-b", "side")
	commit(t, dir, "four")

	included := filepath.Join(t.TempDir(), "included")
	write(t, included, "[core]\n\tfsmonitor = "+program+"\n")
	for _, word := range []string{
		"core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.gitProxy", "core.alternateRefsCommand",
		"filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "diff.evil.command", "diff.external", "merge.evil.driver",
		"uploadpack.packObjectsHook", "credential.helper", "gpg.program", "gpg.ssh.program", "log.showSignature=true", "pager.log", "pager.status",
		"alias.log=!" + program, "alias.fetch=!" + program, "remote.origin.uploadpack", "remote.origin.url=ext::" + program, "protocol.ext.allow=always",
		"remote.origin.promisor=true", "extensions.partialClone=origin", "sequence.editor", "trace2.normalTarget=" + mark, "trace2.eventTarget=" + mark,
		"submodule.recurse=true", "submodule.inner.update=!" + program, "status.submoduleSummary=true", "fetch.recurseSubmodules=true",
		"core.hooksPath=" + filepath.Join(dir, ".git", "hooks"), "include.path=" + included, "include.path=" + included, "filter.evil.required=true",
		"diff.autoRefreshIndex=true", "core.untrackedCache=true", "init.templateDir=" + filepath.Join(dir, ".git"), "uploadpack.allowFilter=true",
	} {
		key, value, given := strings.Cut(word, "=")
		if !given {
			value = program
		}
		run(t, dir, "config", "--file", filepath.Join(".git", "config"), "--add", key, value)
	}
	hooks := filepath.Join(dir, ".git", "hooks")
	gametest.OK(t, os.MkdirAll(hooks, 0o700))
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-commit", "post-merge", "update", "pre-auto-gc"} {
		gametest.OK(t, os.Symlink(program, filepath.Join(hooks, hook)))
	}
	write(t, filepath.Join(dir, ".git", "info", "attributes"), "* filter=evil diff=evil\n")
	write(t, filepath.Join(dir, "strength"), "changed\n")
	before := tree(t, filepath.Join(dir, ".git"))
	gametest.OK(t, os.RemoveAll(mark))

	ctx := t.Context()
	repo, err := OpenRepo(ctx, dir)
	gametest.OK(t, err)
	defer repo.Close()
	head, err := repo.Commit(ctx, "")
	if err != nil || head.Subject != "four" {
		t.Fatal(head, err)
	}
	base, err := repo.Base(ctx, head)
	if err != nil || base.Subject != "three" {
		t.Error(base, err)
	}
	for _, bad := range []string{"--help", "HEAD:strength"} {
		if _, err := repo.Commit(ctx, bad); err == nil || !strings.Contains(err.Error(), "no commit") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	_, err = repo.Between(ctx, base, head)
	gametest.OK(t, err)
	if list, err := repo.Sorted(ctx, []string{head.Hash}); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
	if n, err := repo.Dirty(ctx); err != nil || n != 1 {
		t.Errorf("%d changed files, %v", n, err)
	}
	for _, ref := range []string{"", "main", base.Hash} {
		builds(t, c, arena.EngineSpec{Git: dir, Ref: ref, Build: "cp strength $OUT/engine"})
	}
	if text, err := os.ReadFile(mark); err == nil {
		t.Errorf("started:\n%s", text)
	}
	if tree(t, filepath.Join(dir, ".git")) != before {
		t.Error("the repository has changed")
	}
}

// A shallow clone, a linked working tree, packed references, a detached HEAD and a bare
// repository are repositories like others.
func TestKindsOfRepositories(t *testing.T) {
	gametest.Sequential(t)
	dir, c := repository(t, "one", "two", "three"), cacheIn(t)
	run(t, dir, "tag", "v1")
	run(t, dir, "pack-refs", "--all")
	run(t, dir, "gc", "-q")
	other := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	run(t, dir, "worktree", "add", "-q", "--detach", filepath.Join(other, "linked"), "HEAD~1")
	run(t, dir, "clone", "-q", "--depth", "1", "file://"+dir, filepath.Join(other, "shallow"))
	run(t, dir, "clone", "-q", "--bare", dir, filepath.Join(other, "bare"))
	run(t, dir, "clone", "-q", "--shared", dir, filepath.Join(other, "shared"))
	for name, want := range map[string]string{"linked": "two", "shallow": "three", "bare": "three", "shared": "three"} {
		build := "git describe --tags --always > $OUT/version; cp strength $OUT/engine; echo " + name
		b := builds(t, c, arena.EngineSpec{Git: filepath.Join(other, name), Build: build})
		if b.Subject != want || b.Dirty != 0 || read(t, filepath.Join(b.Out, "engine")) != want+"\n" {
			t.Errorf("%s: %+v", name, b)
		}
		if got := read(t, filepath.Join(b.Out, "version")); name != "linked" && name != "shallow" && got != "v1\n" {
			t.Errorf("%s: git describe says %q", name, got)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "thera-git-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A build cannot bring what leads out of its folder, which engines read.
func TestHole02BuildsBringNoLinksOut(t *testing.T) {
	gametest.Sequential(t)
	dir, c := repository(t, "one"), cacheIn(t)
	secret := filepath.Join(t.TempDir(), "id_rsa")
	write(t, secret, "secret\n")
	for build, want := range map[string]string{
		"ln -s " + secret + " $OUT/data":                                     `^\$OUT/data is a link to [^ ]*id_rsa, which is not in \$OUT`,
		"ln -s ../../../../../../../../../../../.." + secret + " $OUT/data":  `^\$OUT/data is a link to `,
		"mkdir $OUT/d; ln -s $OUT/d/b $OUT/a; ln -s " + secret + " $OUT/d/b": `^\$OUT/a is a link to `,
		"mkdir $OUT/d; ln -s " + filepath.Dir(secret) + " $OUT/d/up":         `^\$OUT/d/up is a link to `,
		"ln -s ../log $OUT/log":                                              `^\$OUT/log is a link to ../log`,
		"ln -s /nowhere/yet $OUT/later":                                      `^\$OUT/later is a link to /nowhere/yet`,
		"ln -s /proc/self/environ $OUT/environ":                              `^\$OUT/environ is a link to /proc`,
		"mkfifo $OUT/pipe":                                                   `^\$OUT/pipe is no file`,
		"cp strength $OUT/e; chmod u+s $OUT/e || kill $$":                    `^\$OUT/e has mode|status`,
	} {
		fails(t, c, arena.EngineSpec{Git: dir, Build: build}, want)
	}
	hard := arena.EngineSpec{Git: dir, Build: "ln " + secret + " $OUT/hard", Sandbox: sandbox.Off}
	fails(t, c, hard, `^\$OUT/hard has another name outside \$OUT`)
	fine := "cp strength $OUT/a; ln $OUT/a $OUT/b; ln -s a $OUT/c; mkdir $OUT/d; ln -s ../a $OUT/d/a; ln -s $OUT/d $OUT/e; ln -s /bin/sh $OUT/sh"
	builds(t, c, arena.EngineSpec{Git: dir, Build: fine})
}

// A build whose files cannot be looked at has failed, so that a search leaves its commit out.
func TestHole23DeepOut(t *testing.T) {
	gametest.Sequential(t)
	dir, c := repository(t, "one"), cacheIn(t)
	deep := strings.Repeat(strings.Repeat("d", 200)+"/", 13) // twice that has no path
	build := "cd $OUT; for i in 1 2; do mkdir -p " + deep + "; cd " + deep + "; done"
	if failed := fails(t, c, arena.EngineSpec{Git: dir, Build: build}, ""); len(failed.Error()) > 1000 {
		t.Errorf("%.300v", failed)
	}
}

// What fetch leaves cannot lead the build, which writes there, out of its folders.
func TestHole02FetchLeadsNoBuildAway(t *testing.T) {
	gametest.Sequential(t)
	dir, c := repository(t, "one"), cacheIn(t)
	victim := t.TempDir()
	fetch := "rm -rf $GOCACHE; ln -s " + victim + " $GOCACHE"
	_, err := c.Build(t.Context(), &arena.EngineSpec{Git: dir, Fetch: fetch, Build: "echo x > $GOCACHE/mine"}, quiet)
	if err == nil || !strings.Contains(err.Error(), "go-build is a link to "+victim) {
		t.Error(err)
	}
	if list, _ := os.ReadDir(victim); len(list) > 0 {
		t.Errorf("the build wrote %v", list)
	}
}
