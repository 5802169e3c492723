package santorini

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// countTests are the tests with a number that a new god, ban or row of vectors
// changes.
var countTests = []string{
	"TestGodTable", "TestGodsJSON", "TestLongEveryPairPlays", "TestMatchups", "TestNextStatesV2", "TestPerftV2",
}

// TestGuideShowsRealCode checks that the example of GODS.md is the present file, that
// the files and tests that it names exist, and that it names all tests with counts.
func TestGuideShowsRealCode(t *testing.T) {
	text, err := os.ReadFile("GODS.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := string(text)
	code, err := os.ReadFile("rules/god_europa.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(guide, "```go\n"+string(code)+"```\n") {
		t.Error("GODS.md does not show rules/god_europa.go as it is")
	}
	for _, m := range regexp.MustCompile("`([a-z_/0-9]+\\.(?:go|jsonl\\.gz))`").FindAllStringSubmatch(guide, -1) {
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("GODS.md names %v", err)
		}
	}
	var tests strings.Builder
	for _, pattern := range []string{"*_test.go", "*/*_test.go", "../../cmd/thera/gods_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(text)
		}
	}
	var named []string
	for _, m := range regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllStringSubmatch(guide, -1) {
		named = append(named, m[1])
		if !strings.Contains(tests.String(), "func "+m[1]+"(") {
			t.Errorf("GODS.md names %s, which does not exist", m[1])
		}
	}
	for _, name := range countTests {
		if !slices.Contains(named, name) {
			t.Errorf("GODS.md does not name %s, which has a count to raise", name)
		}
	}
}
