package versions

import (
	"os/exec"
	"testing"

	"thera/arena/versions/source"
)

// A test is of HEAD against the commit that is named.
func TestCommits(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"commit", "-q", "--allow-empty", "-m", "old"}, {"commit", "-q", "--allow-empty", "-m", "new"}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		ok(t, cmd.Run())
	}
	repo, err := source.OpenRepo(t.Context(), dir)
	ok(t, err)
	defer repo.Close()
	for _, args := range [][]string{{"HEAD~1"}, {"HEAD~1", "HEAD"}} {
		if head, base, err := Commits(t.Context(), repo, args); err != nil || head.Subject != "new" || base.Subject != "old" {
			t.Errorf("%v: %v, %v, %v", args, head, base, err)
		}
	}
	for _, args := range [][]string{{"HEAD"}, {"HEAD", "nosuch"}} {
		if _, _, err := Commits(t.Context(), repo, args); err == nil {
			t.Errorf("%v is a test", args)
		}
	}
}
