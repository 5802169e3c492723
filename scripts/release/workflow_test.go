package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// workflow is a file of docs/ci: a workflow has jobs, an action has steps.
type workflow struct {
	Permissions map[string]string
	On          any
	Inputs      map[string]struct{ Default string }
	Jobs        map[string]struct {
		Permissions map[string]string
		Steps       []step
	}
	Runs struct{ Steps []step }
}

// step is a step of a workflow. It uses an action, or runs a script.
type step struct {
	Name, Uses, If, Shell, Run string
	Folder                     string `yaml:"working-directory"`
	Env, With                  map[string]string
}

func readWorkflow(t *testing.T, name string) (w workflow) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return w
}

// Workflows have the least rights. They run nothing of strangers with more, put no text of strangers
// into a script, and pin what they use. A failed or cancelled job keeps its games.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "ci", "*.y*ml"))
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		w := readWorkflow(t, name)
		if (w.Permissions == nil) == (len(w.Jobs) > 0) {
			t.Errorf("%s: permissions %v of %d jobs", name, w.Permissions, len(w.Jobs))
		}
		if strings.Contains(fmt.Sprint(w.On), "pull_request_target") {
			t.Errorf("%s runs on pull_request_target", name)
		}
		if len(w.Runs.Steps) > 0 {
			checkSteps(t, name, w.Runs.Steps, false)
		}
		for _, job := range w.Jobs {
			writes := false
			for _, rights := range []map[string]string{w.Permissions, job.Permissions} {
				writes = writes || slices.Contains(slices.Collect(maps.Values(rights)), "write")
			}
			if writes && strings.Contains(fmt.Sprint(w.On), "pull_request") {
				t.Errorf("%s: a pull request of a fork has no such rights", name)
			}
			checkSteps(t, name, job.Steps, writes)
		}
	}
}

// The action downloads the release of these sources. The owner's repository is named in one place.
func TestActionIsOfThisRelease(t *testing.T) {
	if got := readWorkflow(t, "action.yml").Inputs["version"].Default; got != version(t) {
		t.Errorf("the action downloads %s, these are the sources of %s", got, version(t))
	}
	verdict := readWorkflow(t, "pull-request.yaml").Jobs["verdict"]
	if uses := verdict.Steps[0].Uses; uses != "OWNER/thera/docs/ci@v"+version(t) {
		t.Errorf("the workflow uses %s", uses)
	}
	out, err := exec.CommandContext(t.Context(), "git", "grep", "-l", "OWNER/thera/", "--", "../../docs/ci").Output()
	if err != nil || string(out) != "../../docs/ci/pull-request.yaml\n" {
		t.Errorf("files with the owner's repository: %q, %v", out, err)
	}
}

// checkSteps looks at the steps of a job, which may have the right to write.
func checkSteps(t *testing.T, name string, steps []step, writes bool) {
	t.Helper()
	pinned := regexp.MustCompile(`^[\w-]+/[\w./-]+@v\d+\.\d+\.\d+$`)
	runs := regexp.MustCompile(`\b(thera|go|make)\b`)
	restored, saved, boxed := "", "", false
	for _, s := range steps {
		at := fmt.Sprintf("%s: %s%s", name, s.Name, s.Uses)
		if s.Uses != "" && !pinned.MatchString(s.Uses) {
			t.Errorf("%s: no full version", at)
		}
		if strings.Contains(s.Run, "${{") {
			t.Errorf("%s: an expression in a script", at)
		}
		if out, err := exec.Command("bash", "-n", "-c", s.Run).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", at, err, out)
		}
		boxed = boxed || strings.Contains(s.Run, "apparmor_restrict_unprivileged_userns")
		if strings.Contains(s.Run, "thera test") && !boxed {
			t.Errorf("%s: no sandbox", at)
		}
		action, _, _ := strings.Cut(s.Uses, "@")
		if writes && (action == "actions/checkout" || runs.MatchString(s.Run)) {
			t.Errorf("%s: runs code with the right to write", at)
		}
		key := s.With["path"] + s.With["key"]
		switch action {
		case "actions/checkout":
			if s.With["persist-credentials"] != "false" {
				t.Errorf("%s: the token stays in .git/config", at)
			}
		case "actions/cache":
			t.Errorf("%s: saves nothing if the job fails", at)
		case "actions/cache/restore":
			if restored = key; !strings.Contains(key, "github.run_attempt") || s.With["restore-keys"] == "" {
				t.Errorf("%s: a key is saved once only, so each attempt needs its own", at)
			}
		case "actions/cache/save":
			if saved = key; s.If != "always()" {
				t.Errorf("%s: not if the job fails", at)
			}
		}
	}
	if restored != saved {
		t.Errorf("%s: restored %q, saved %q", name, restored, saved)
	}
}

// The action's steps, as those of a workflow with the same inputs, have no fault that actionlint finds.
func TestActionLint(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var action map[string]any
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	inputs := map[string]any{}
	for name, input := range action["inputs"].(map[string]any) {
		inputs[name] = map[string]any{"type": "string", "default": input.(map[string]any)["default"]}
	}
	as, err := yaml.Marshal(map[string]any{
		"on": map[string]any{"workflow_call": map[string]any{"inputs": inputs}, "pull_request": nil},
		"jobs": map[string]any{"it": map[string]any{
			"runs-on": "ubuntu-latest", "steps": action["runs"].(map[string]any)["steps"],
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "tool", "actionlint", "-")
	cmd.Stdin = strings.NewReader(string(as))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
