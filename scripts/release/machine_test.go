package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// machine runs the steps of a job in a new folder, as GitHub does.
type machine struct {
	dir, temp string
	umask     string
	env       []string
	values    map[string]string // of expressions and conditions
	actions   map[string]func(with map[string]string) error
	log       strings.Builder
}

func newMachine(t *testing.T, values map[string]string, env ...string) *machine {
	m := &machine{dir: t.TempDir(), temp: t.TempDir(), umask: "022", values: values}
	m.env = append(os.Environ(), "RUNNER_TEMP="+m.temp, "RUNNER_ARCH=X64", "GITHUB_WORKSPACE="+m.dir, "HOME="+m.temp,
		"GITHUB_PATH="+filepath.Join(m.temp, "path"), "GITHUB_STEP_SUMMARY="+filepath.Join(m.temp, "summary"))
	m.env = append(m.env, env...)
	return m
}

// job runs the steps and returns the first error. What follows an error runs only if its condition says so.
func (m *machine) job(t *testing.T, steps []step) (failed error) {
	t.Helper()
	for _, s := range steps {
		wanted := failed == nil
		if s.If != "" {
			wanted = m.value(t, s.If) == "true"
		}
		if wanted {
			failed = cmp.Or(failed, m.step(t, s))
		}
	}
	return failed
}

// value is the one of an expression. The test must know it.
func (m *machine) value(t *testing.T, expression string) string {
	t.Helper()
	value, known := m.values[expression]
	if !known {
		t.Fatalf("the test has no value for the expression %s", expression)
	}
	return value
}

var expression = regexp.MustCompile(`\$\{\{ *(.+?) *\}\}`)

// filled are words with the values of their expressions.
func (m *machine) filled(t *testing.T, words map[string]string) map[string]string {
	t.Helper()
	filled := map[string]string{}
	for key, text := range words {
		filled[key] = expression.ReplaceAllStringFunc(text, func(found string) string {
			return m.value(t, expression.FindStringSubmatch(found)[1])
		})
	}
	return filled
}

func (m *machine) step(t *testing.T, s step) error {
	t.Helper()
	if s.Uses != "" {
		name, _, _ := strings.Cut(s.Uses, "@")
		do := m.actions[name]
		if do == nil {
			t.Fatalf("the test does not know the action %s", name)
		}
		return do(m.filled(t, s.With))
	}
	script := filepath.Join(m.temp, "step.sh")
	if err := os.WriteFile(script, []byte(s.Run), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `umask "$1"; exec bash --noprofile --norc -eo pipefail "$2"`,
		"sh", m.umask, script)
	cmd.Dir = filepath.Join(m.dir, s.Folder)
	cmd.Env = slices.Clone(m.env)
	for key, value := range m.filled(t, s.Env) {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	added, err := os.ReadFile(filepath.Join(m.temp, "path"))
	if err == nil {
		path := strings.ReplaceAll(strings.TrimSpace(string(added)), "\n", ":") + ":" + os.Getenv("PATH")
		cmd.Env = append(cmd.Env, "PATH="+path)
	}
	out, err := cmd.CombinedOutput()
	fmt.Fprintf(&m.log, "== %s\n%s", s.Name, out)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return nil
}

// copied copies a file or a folder into a folder.
func copied(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, filepath.Base(from)), data, 0o644)
}

// store has actions that stand for the cache and the artifacts of GitHub: folders on this machine.
func (m *machine) store(at string) {
	m.actions["actions/upload-artifact"] = func(with map[string]string) error {
		return copied(filepath.Join(m.dir, with["path"]), filepath.Join(at, "artifacts", with["name"]))
	}
	m.actions["actions/download-artifact"] = func(with map[string]string) error {
		return copied(filepath.Join(at, "artifacts", with["name"]), filepath.Join(m.dir, with["path"]))
	}
	m.actions["actions/cache/save"] = func(with map[string]string) error {
		return copied(filepath.Join(m.dir, with["path"]), filepath.Join(at, "cache", with["key"]))
	}
	m.actions["actions/cache/restore"] = func(with map[string]string) error {
		found, err := filepath.Glob(filepath.Join(at, "cache", with["restore-keys"]+"*"))
		if err != nil || len(found) == 0 {
			return err
		}
		return copied(slices.Max(found), filepath.Join(m.dir, with["path"]))
	}
}

// clone has an action that stands for the checkout: a clone of a repository on this machine.
func (m *machine) clone(from string) {
	m.actions["actions/checkout"] = func(with map[string]string) error {
		at := filepath.Join(m.dir, with["path"])
		script := `umask "$1"; git clone -q "$2" "$3" && git -C "$3" checkout -q "$4"`
		ref := cmp.Or(with["ref"], "HEAD")
		out, err := exec.Command("sh", "-c", script, "sh", m.umask, from, at, ref).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
}
