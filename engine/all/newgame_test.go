package all

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// TestANewGameIsOneFolderAndOneLine adds nim, the game of the arena's tests, to a copy of this
// module as docs/new-game.md says, and runs the tests of other packages that look at all games.
func TestANewGameIsOneFolderAndOneLine(t *testing.T) {
	gametest.Sequential(t)
	if testing.Short() || gametest.Race {
		t.Skip("it builds the module anew")
	}
	module, copied := filepath.Join("..", ".."), t.TempDir()
	for _, part := range []string{"arena", "cmd", "configs", "docs", "engine", "scripts", "README.md", "go.mod", "go.sum"} {
		copyTree(t, filepath.Join(module, part), filepath.Join(copied, part))
	}
	tables, err := filepath.Glob(filepath.Join(module, "results", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(copied, "results"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range tables { // which the README links
		copyTree(t, path, filepath.Join(copied, "results", filepath.Base(path)))
	}
	folder := filepath.Join(copied, "engine", "nim")
	copyTree(t, filepath.Join(module, "engine", "gametest", "nim"), folder)
	write(t, filepath.Join(folder, "PROTOCOL.md"), "# nim\n\nready, new, ok, go, move, score, stop, ping, pong, list, moves, quit\n")

	list := filepath.Join(copied, "engine", "all", "all.go")
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	const line = "	{hex.New(), hex.Player()},\n"
	if !strings.Contains(string(text), line) {
		t.Fatalf("all.go has no line %q", line)
	}
	added := strings.Replace(string(text), line, line+"	{nim.New(), nim.New()},\n", 1)
	write(t, list, strings.Replace(added, "	\"thera/engine/mill\"\n", "	\"thera/engine/mill\"\n	\"thera/engine/nim\"\n", 1))

	run := func(program, folder string, env []string, words ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, words...)
		cmd.Dir, cmd.Env = filepath.Join(copied, folder), append(append(os.Environ(), "GOFLAGS=-trimpath -buildvcs=false"), env...)
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "no tests to run") {
			t.Errorf("%s %s: %v\n%s", program, strings.Join(words, " "), err, out)
		}
	}
	// The tests of cmd/thera are linked once, and are the program under its name.
	tests, thera := filepath.Join(copied, "tests"), filepath.Join(copied, "thera")
	run("go", "", nil, "test", "-vet=off", "-ldflags=-s -w", "-c", "-o", tests, "./cmd/thera")
	if err := os.Link(tests, thera); err != nil { // engines are started under the name of the file
		t.Fatal(err)
	}
	run(tests, "cmd/thera", []string{"THERA_UPDATE=1"}, "-test.run", "^TestSchemaFileIsCurrent$")
	names := "TestEveryGameHasAnEngine|TestPictures|TestWords|TestGamesHaveTheSameRooms|TestSessionsKnowNoPlayer|" +
		"TestHole20EveryWordWeSendIsOnThePage|TestJudgesStay|TestHole19NoRandomStartIsDecided"
	run("go", "", nil, "test", "-vet=off", "-run", "^("+names+")$", "./cmd/thera/starters", "./engine/all", "./arena/tournament")
	run(tests, "cmd/thera", nil, "-test.run", "^(TestSchemaFileIsCurrent|TestPlayers|TestListsAreComplete|TestImportsGoOneWay|TestArenaNamesNoGame)$")
	run(thera, "", nil, "vs", "builtin", "builtin", "--game", "nim", "--rounds", "1", "--limit", "depth=1", "--set", "openings.heaps.list=[21]")
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			return os.MkdirAll(at, 0o755)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(at, text, info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
