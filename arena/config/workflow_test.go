package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

type workflow struct {
	On          any
	Permissions map[string]string
	Jobs        map[string]struct {
		Steps []workflowStep
	}
}

type workflowStep struct {
	Uses, Run, If string
	With          map[string]any
}

func readWorkflow(t *testing.T, name string) *workflow {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	w := &workflow{}
	if err := yaml.Unmarshal(text, w); err != nil {
		t.Fatal(err)
	}
	return w
}

// A failed or cancelled job keeps its games, and a workflow of a pull request has only
// the rights that one of a fork has, and runs what the pull request brings in a sandbox.
func TestHole21Workflows(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "docs", "ci", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		w, file := readWorkflow(t, name), filepath.Base(name)
		if len(w.Jobs) == 0 {
			t.Errorf("%s has no jobs", file)
		}
		writes := false
		for _, right := range w.Permissions {
			writes = writes || right == "write"
		}
		if w.Permissions == nil || writes && w.On == "pull_request" {
			t.Errorf("%s: a pull request of a fork has no such rights: %v", file, w.Permissions)
		}
		for name, job := range w.Jobs {
			restored, saved, sandbox := "", "", false
			for _, step := range job.Steps {
				at := fmt.Sprintf("%s, job %s, %s%s", file, name, step.Uses, step.Run)
				plays := strings.HasPrefix(step.Run, "thera ")
				sandbox = sandbox || strings.Contains(step.Run, "apparmor_restrict_unprivileged_userns=0")
				key := fmt.Sprint(step.With["path"], step.With["key"])
				switch action, _, _ := strings.Cut(step.Uses, "@"); {
				case action == "actions/cache":
					t.Errorf("%s: saves nothing if the job fails", at)
				case action == "actions/cache/restore":
					restored = key
					if !strings.Contains(key, "github.run_attempt") || step.With["restore-keys"] == nil {
						t.Errorf("%s: a key is saved once only, so each attempt needs its own", at)
					}
				case action == "actions/cache/save":
					if saved = key; step.If != "always()" {
						t.Errorf("%s: not if the job fails", at)
					}
				case action == "actions/checkout" && step.With["persist-credentials"] != false:
					t.Errorf("%s: the token stays in .git/config", at)
				case strings.Contains(step.Run, "gh pr comment") && w.On == "pull_request":
					t.Errorf("%s: a pull request of a fork has no right to comment", at)
				case writes && (action == "actions/checkout" || plays || strings.Contains(step.Run, "make")):
					t.Errorf("%s: runs code with the right to write", at)
				case plays && strings.Contains(step.Run, "results"):
				case plays && (!sandbox || !strings.Contains(step.Run, "thera test ") && !strings.Contains(step.Run, "--sandbox require")):
					t.Errorf("%s: no sandbox", at)
				}
			}
			if restored != saved {
				t.Errorf("%s, job %s: restored %q, saved %q", file, name, restored, saved)
			}
		}
	}
}
