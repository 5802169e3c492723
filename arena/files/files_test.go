package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A file is replaced by a whole one, or stays.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	full := errors.New("no space")
	for _, step := range []struct {
		text string
		err  error
		want string
	}{{"one", nil, "one"}, {"two", full, "one"}, {"three", nil, "three"}} {
		err := Replace(path, func(out io.Writer) error {
			_, _ = io.WriteString(out, step.text)
			return step.err
		})
		text, _ := os.ReadFile(path)
		if list, _ := os.ReadDir(dir); !errors.Is(err, step.err) || string(text) != step.want || len(list) != 1 {
			t.Errorf("%q: %v, then %q, %d files", step.text, err, text, len(list))
		}
	}
}
