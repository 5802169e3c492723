package config

import (
	"os"
	"path/filepath"
	"testing"

	"gopkg.in/yaml.v3"
)

// The workflows of docs/ci are YAML with jobs whose steps each use something or run
// something.
func TestWorkflowsAreYAML(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "docs", "ci", "*.yaml"))
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) { checkWorkflow(t, name) })
	}
}

func checkWorkflow(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Name string
		On   any
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct{ Uses, Run string }
		}
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	if workflow.Name == "" || workflow.On == nil || len(workflow.Jobs) == 0 {
		t.Fatalf("%+v", workflow)
	}
	for name, job := range workflow.Jobs {
		if job.RunsOn == "" || len(job.Steps) == 0 {
			t.Errorf("job %s: %+v", name, job)
		}
		for i, step := range job.Steps {
			if (step.Uses == "") == (step.Run == "") {
				t.Errorf("job %s, step %d: %+v", name, i, step)
			}
		}
	}
}
