package main

import (
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// engineRepo is the repository of an engine that has nothing of Thera but an archive. The branch change is weaker
// than main.
type engineRepo struct{ dir, main, change string }

func newEngineRepo(t *testing.T, thera string) (r engineRepo) {
	t.Helper()
	r.dir = t.TempDir()
	shell := func(script string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", script)
		cmd.Dir, cmd.Env = r.dir, append(os.Environ(), "THERA="+thera, "HOME="+r.dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	shell(`"$THERA" init --engine python >init.log
cat >thera.yaml <<'END'
game: santorini
engine:
  build: cp santorini.py $OUT/
  command: [$OUT/santorini.py]
openings: {random_plies: 4}
limit: {nodes: 200}
sprt: {elo0: 0, elo1: 100}
END
git init -q -b main
git config user.name a
git config user.email a@example.com
git add santorini.py thera.yaml
git commit -qm Start
git switch -qc change
sed -i 's/ - (500 if threat else 0)//' santorini.py
git commit -qam Simpler
git switch -q main`)
	r.main, r.change = shell("git rev-parse main"), shell("git rev-parse change")
	return r
}

// pullRequest is the machine on which the action runs for a commit. The releases and the program gh, which writes the
// comment, are on this machine.
func (r engineRepo) pullRequest(t *testing.T, releases, store, head, run string, inputs map[string]string) *machine {
	t.Helper()
	values := map[string]string{
		"github.action_repository": "owner/thera", "github.run_id": run, "github.run_attempt": "1",
		"github.token": "secret", "always()": "true",
		"github.event.pull_request.number": "7", "github.event.pull_request.head.sha": head,
	}
	for name, input := range readWorkflow(t, "action.yml").Inputs {
		values["inputs."+name] = input.Default
	}
	for name, value := range inputs {
		values["inputs."+name] = value
	}
	const comment = "always() && inputs.comment == 'true'"
	const same = "github.event.pull_request.head.repo.full_name == github.repository"
	values[comment+" && "+same] = values["inputs.comment"]
	bin := t.TempDir()
	const gh = "#!/bin/sh\necho \"$GH_TOKEN\" \"$@\" >\"$RUNNER_TEMP/comment\"\ncat >>\"$RUNNER_TEMP/comment\"\n"
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	m := newMachine(t, values, "GITHUB_SERVER_URL="+releases, "GITHUB_REPOSITORY=owner/engine", "GITHUB_BASE_REF=main",
		"THERA_CACHE="+t.TempDir())
	m.actions = map[string]func(map[string]string) error{}
	m.store(store)
	m.clone(r.dir)
	return m
}

// read is a file that a step wrote, "" if there is none.
func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// testAction tests pull requests of an engine with an archive and the steps of the action, and nothing else.
func testAction(t *testing.T, release map[string][]byte, thera string) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("the engine is written in Python: ", err)
	}
	if out, err := exec.CommandContext(t.Context(), thera, "check", "--game", "hex", "--sandbox", "require", "--",
		thera, "engine", "hex").CombinedOutput(); err != nil {
		t.Skipf("versions require a whole sandbox: %v\n%s", err, out)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, found := strings.CutPrefix(r.URL.Path, "/owner/thera/releases/download/v"+version(t)+"/")
		if data, known := release[name]; found && known {
			_, _ = w.Write(data)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	repo := newEngineRepo(t, thera)
	steps := readWorkflow(t, "action.yml").Runs.Steps
	store := t.TempDir()

	first := repo.pullRequest(t, server.URL, store, repo.change, "1", map[string]string{"comment": "true"})
	if err := first.job(t, steps); err == nil {
		t.Errorf("a weaker engine passes\n%s", &first.log)
	}
	verdict := read(t, first.temp, "summary")
	if !strings.HasPrefix(verdict, "### Thera: H0\n") {
		t.Errorf("verdict %q\n%s", verdict, &first.log)
	}
	if got := read(t, first.temp, "comment"); got != "secret pr comment 7 --repo owner/engine --body-file -\n"+verdict {
		t.Errorf("comment %q", got)
	}
	if got := read(t, store, "artifacts", "verdict", "verdict.md"); got != verdict {
		t.Errorf("artifact %q", got)
	}

	// The job failed. One that is run again plays no game a second time.
	again := repo.pullRequest(t, server.URL, store, repo.change, "2", nil)
	if err := again.job(t, steps); err == nil || read(t, again.temp, "summary") != verdict {
		t.Errorf("another verdict: %v, %s", err, read(t, again.temp, "summary"))
	}
	if got := read(t, again.temp, "comment"); got != "" {
		t.Errorf("comment without the right: %q", got)
	}
	log := again.log.String()
	if !strings.Contains(log, "resumed") || !strings.Contains(first.log.String(), "started") {
		t.Errorf("the games of the first job were not found\n%s", log)
	}

	// The inputs choose what is played. The stronger engine passes.
	inputs := map[string]string{"base": repo.change, "limit": "{nodes: 100}", "bounds": "{elo0: 0, elo1: 80}"}
	other := repo.pullRequest(t, server.URL, t.TempDir(), repo.main, "3", inputs)
	if err := other.job(t, steps); err != nil {
		t.Errorf("the stronger engine does not pass: %v\n%s", err, &other.log)
	}
	verdict = read(t, other.temp, "summary")
	for _, want := range []string{"### Thera: H1\n", "nodes 100", "80 or more"} {
		if !strings.Contains(verdict, want) {
			t.Errorf("the verdict has no %q: %s", want, verdict)
		}
	}

	// Inputs are words, whatever they contain.
	for name := range inputs {
		hostile := map[string]string{name: "$(touch ../taken)'\"; touch ../taken #"}
		m := repo.pullRequest(t, server.URL, t.TempDir(), repo.change, "4", hostile)
		if err := m.job(t, steps); err == nil {
			t.Errorf("%s: a bad input passes", name)
		}
		if _, err := os.Stat(filepath.Join(m.dir, "taken")); err == nil {
			t.Errorf("%s: the input ran as a script", name)
		}
		if got := read(t, m.temp, "summary"); !strings.Contains(got, "no verdict") {
			t.Errorf("%s: summary %q", name, got)
		}
	}

	// What was damaged on its way is not unpacked.
	damaged := maps.Clone(release)
	for name := range damaged {
		if name != "SHA256SUMS" {
			damaged[name] = append([]byte{}, damaged[name][1:]...)
		}
	}
	release = damaged
	m := repo.pullRequest(t, server.URL, t.TempDir(), repo.change, "5", nil)
	if err := m.job(t, steps); err == nil || !strings.Contains(err.Error(), "Thera") {
		t.Errorf("a damaged archive is used: %v", err)
	}
}
