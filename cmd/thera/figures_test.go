package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// figures are the words of pages that have numbers, with a file and the words of it that the numbers are from. Those
// of no file follow from what a word means, or tell of other programs.
var figures = []struct{ page, words, file, from string }{
	{
		"faults.md", "a line over 1 MiB, or 64 MiB or",
		"arena/player/line.go", "playCaps = caps{line: 1 << 20, bytes: 64 << 20}",
	},
	{"faults.md", "200,000 lines in a move", "arena/player/line.go", "mostLines = 200_000"},
	{"faults.md", "If 5 % of the pairs", "arena/tournament/account.go", "voidShare = 20"},
	{"faults.md", "first three games", "arena/tournament/account.go", "deadAfter = 3"},
	{"faults.md", "over half of the time", "arena/player/stall.go", "stolen/n+late <= most/2"},
	{"faults.md", "two thirds of the processors", "arena/player/stall.go", "3*rival >= 2*n*span"},
	{"faults.md", "(at least three)", "arena/tournament/account.go", "voidsLeast = 3"},
	{"faults.md", "three times in a row", "arena/session/count.go", "voidsRunning = 3"},
	{"formats.md", "up to eight pairs", "arena/tournament/knockout.go", "extra = 8"},
	{"many-machines.md", "On the second charge", "arena/remote/audit.go", "mostCharges = 2"},
	{
		"many-machines.md", "when two of its pairs, and over one in twenty",
		"arena/remote/member.go", "mostBad = 2 badShare = 20",
	},
	{"faults.md", "While 5 % of all pairs of a run are void", "arena/tournament/account.go", "voidShare = 20"},
	{"faults.md", "than by chance (1 %)", "arena/tournament/account.go", "oneSided = 0.01"},
	{"faults.md", "above 2, containers", "", ""},
	{"faults.md", "Thera looks every 50 ms", "arena/proc/proc.go", "memoryEvery = 50 * time.Millisecond"},
	{"faults.md", "The exit status is 1", "cmd/thera/main.go", "exitFindings = 1"},
	{"faults.md", "interrupted with status 1", "cmd/thera/main.go", "exitFindings = 1"},
	{"formats.md", "that time again after 40 moves", "", ""},
	{"formats.md", "10s | a process", "arena/plan.go", `yaml:"start" default:"10s"`},
	{"formats.md", "2s | each thing", "arena/plan.go", `yaml:"sync" default:"2s"`},
	{"formats.md", "100ms | an answer", "arena/plan.go", `yaml:"grace" default:"100ms"`},
	{"formats.md", "60s | a move", "arena/plan.go", `yaml:"max_move" default:"60s"`},
	{"formats.md", "Bounds hold in 95 % of runs", "arena/rating/student.go", "step := (0.975 - student(t, freedom))"},
	{"many-machines.md", "silent for 20 s", "arena/remote/remote.go", "silence = 20 * time.Second"},
	{"many-machines.md", "silent for two minutes", "arena/remote/remote.go", "patience = 2 * time.Minute"},
	{"many-machines.md", "1 % of the pairs of workers", "arena/plan.go", `yaml:"audit" form:"percent" default:"0.01"`},
	{"many-machines.md", "up to 500 earlier ones", "arena/remote/audit.go", "mostBack = 500"},
	{"many-machines.md", "over one in 20 of its audited pairs", "arena/remote/audit.go", "chargeShare = 20"},
	{"many-machines.md", "TLS 1.3", "arena/remote/keys/invitation.go", "MinVersion: tls.VersionTLS13"},
	{"many-machines.md", "10,000 messages", "arena/remote/server.go", "maxRate = 10_000"},
	{"many-machines.md", "up to 8 KiB a second", "arena/remote/server.go", "float64(c.InBytes)/(8<<10)"},
	{"many-machines.md", "Whoever is a minute ahead", "arena/remote/server.go", "maxOver = 60"},
	{"many-machines.md", "has 4,096 connections", "arena/remote/server.go", "mostConns = 4096"},
	{"many-machines.md", "up to 64 files", "arena/remote/engines.go", "mostFiles = 64"},
	{"many-machines.md", "and 256 MiB each", "arena/remote/engines.go", "mostShipped = 256 << 20"},
	{"many-machines.md", "up to 4 GiB", "arena/remote/engines.go", "mostCached = 4 << 30"},
	{"many-machines.md", "for ten years", "arena/remote/keys/invitation.go", "lifetime = 10 * 365 * 24 * time.Hour"},
	{"many-machines.md", "2.10 or newer", "", ""},
	{"net.md", "The last 32 bytes", "engine/train/weights.go", "sha256.Sum256"},
	{"new-god.md", "Over 5 % of unrated pairs", "arena/tournament/require.go", "mostUnrated = 0.05"},
	{"new-god.md", "may have 64 MiB", "arena/player/line.go", "listCaps = caps{line: 64 << 20"},
	{"new-god.md", "take 30 s", "arena/match/rules.go", "rulesTime = 30 * time.Second"},
	{"output.md", "or 80 columns", "cmd/thera/screen.go", "usualColumns = 80"},
	{"output.md", "the status is 1", "cmd/thera/main.go", "exitFindings = 1"},
	{"output.md", "a 32-bit fingerprint", "arena/conditions.go", "sum[:4]"},
	{"output.md", "are for 95 %", "arena/rating/student.go", "step := (0.975 - student(t, freedom))"},
	{"output.md", "RFC 3339 in UTC. Seats are 1 and 2, and 0 is neither", "", ""},
	{"output.md", "by points: 0, ½, 1, 1½, 2", "", ""},
	{"output.md", "(0 or 1 within its pair)", "", ""},
	{"page.md", "Lists have 100 rows", "arena/web/runs.go", "pageSize = 100"},
	{"page.md", "up to 100 plies", "arena/web/game.go", "mostFrames = 100"},
	{"sandbox.md", "64 MiB", "arena/sandbox/sandbox.go", "tmpBytes = 64 << 20"},
	{"sandbox.md", "4,096 files", "arena/sandbox/sandbox.go", "tmpFiles = 4096"},
	{"sandbox.md", "(512, and 8 for each core)", "arena/sandbox/spaces_linux.go", "return 512 + 8*runtime.NumCPU()"},
	{"sandbox.md", "status 2 names", "cmd/thera/main.go", "exitBadInput = 2"},
	{"sandbox.md", "from 23.10 on", "", ""},
	{"sandbox.md", "before 5.13 lack Landlock for files, before 5.14 a count of processes, before 6.12", "", ""},
	{"sandbox.md", "32-bit programs", "", ""},
	{"sandbox.md", "version 2 cgroups", "", ""},
	{"threats.md", "up to 2), or", "", ""},
	{"threats.md", "Over 64 timers", "arena/proc/memory_linux.go", "mostAnonymous = 64"},
	{"threats.md", "or 256 files", "arena/proc/memory_linux.go", "mostWatches = 256"},
	{"threats.md", "Below 5 % of all pairs", "arena/tournament/account.go", "voidShare = 20"},
	{"ci.md", "the exit status is 3", "cmd/thera/main.go", "exitNotMet = 3"},
	{"commands.md", "a test: status 3", "cmd/thera/main.go", "exitNotMet = 3"},
	{
		"versions.md", "The exit status is 0 if H1 is accepted, 3 otherwise, and 2 for a failed build",
		"cmd/thera/main.go", "exitDone = 0",
	},
	{"versions.md", "each of 50 pairs", "arena/tournament/sprt.go", "samePairs = 50"},
	{"versions.md", "Below 0.9", "arena/tournament/sprt.go", "slower = 0.9"},
	{"versions.md", "one commit has 95 %", "arena/versions/bisect.go", "enough = 0.95"},
	{"versions.md", "status 3 if none", "cmd/thera/main.go", "exitNotMet = 3"},
	{"versions.md", "status 0 if the test", "cmd/thera/main.go", "exitDone = 0"},
	{
		"versions.md", "15 minutes and 4 GiB",
		"arena/versions/source/source.go", "time: 15 * time.Minute, bytes: 4 << 30",
	},
	{"CHANGELOG.md", "## 0.1.0", "cmd/thera/main.go", `release = "0.1.0"`},
	{"CHANGELOG.md", "From 0.2 on", "", ""},
	{"CHANGELOG.md", "version 2", "arena/report/export.go", "exportVersion = 2"},
	{"supported.md", "with kernel 6.1", "", ""},
	{"supported.md", "96 games", "configs/quickstart.yaml", "rounds: 16"},
	{"supported.md", "Wine 8", "", ""},
	{"README.md", "with Go 1.26", "go.mod", "go 1.26"},
	{"README.md", "Bounds are 95 %", "arena/rating/student.go", "step := (0.975 - student(t, freedom))"},
	{"README.md", "| 0 | done", "cmd/thera/main.go", "exitDone = 0"},
	{"README.md", "| 1 | a finding", "cmd/thera/main.go", "exitFindings = 1"},
	{"README.md", "| 2 | bad input", "cmd/thera/main.go", "exitBadInput = 2"},
	{"README.md", "| 3 | a requirement", "cmd/thera/main.go", "exitNotMet = 3"},
	{"README.md", "| 130 | interrupted", "cmd/thera/main.go", "exitInterrupted = 130"},

	{"README.md", "# 5 pairs of games", "README.md", "--rounds 5 # 5 pairs of games"},
	{"README.md", "# H1: better by 50 Elo", "README.md", "elo1: 50} # H1: better by 50 Elo"},
	{"page.md", "# http://127.0.0.1:8080/", "cmd/thera/serve.go", `defaultListen = "127.0.0.1:8080"`},
	{"versions.md", `# prints "signature 123456"`, "", ""},
	{"versions.md", "normalized Elo between -10 and 0", "cmd/thera/test.go", "normalized Elo -10 and 0"},
	{"versions.md", "a new idea: between 0 and 10", "cmd/thera/test.go", "normalized Elo 0 and 10"},

	// Code that says what is so, not what may be asked.
	{"many-machines.md", "(`audit: 1%` in", "arena/plan.go", `yaml:"audit" form:"percent" default:"0.01"`},
	{"threats.md", "(`audit: 100%`: all)", "", ""},
	{"commands.md", "`faults_percent <= 1`", "arena/tournament/require.go", `faultsPercent + " <= 1"`},
	{
		"gyges.md", "`321123/000000/000000/000000/000000/321123`",
		"engine/gyges/rules/board.go", `LayoutStart = "321123/000000/000000/000000/000000/321123"`,
	},
	{"hex.md", "`time_settings 0 T 1`", "", ""},
	{"hex.md", "`param_mohex max_time: 0.2` as `param_mohex max_time 0.2`", "", ""},

	{"gyges.md", "plays player 1**, from row 0 upwards", "", ""},
	{"gyges.md", "your answer by 180 degrees", "", ""},
	{"gyges.md", "37 the opponent's goal: enter it and win 30 31 32 33 34 35 row 5, " +
		"the opponent's home 24 25 26 27 28 29 18 19 20 21 22 23 12 13 14 15 16 17 6 7 8 9 10 11 0 1 2 3 4 5 row 0, your home", "", ""},
	{"gyges.md", "lists the rows from row 0 upwards", "", ""},
	{"gyges.md", "from square 0 to square 13", "docs/gyges.md", "| `0\\|13` |"},
	{"gyges.md", "from 0 to 1, whose piece is put on 23,", "docs/gyges.md", "| `0\\|1\\|23` |"},
	{"hex.md", "white joins column 1 to the last column", "", ""},
	{"hex.md", "exit with status 0", "", ""},
	{"hex.md", "(10 s)", "arena/plan.go", `yaml:"start" default:"10s"`},
	{"mill.md", "7 a7---------d7---------g7 6 | b6-----d6-----f6 | 5 | | c5-d5-e5 | | 4 a4--b4--c4 e4--f4--g4 " +
		"3 | | c3-d3-e3 | | 2 | b2-----d2-----f2 | 1 a1---------d1---------g1", "", ""},
	{"mill.md", "b p p 1 8 0 9 0 0 0 0 0 0 0 0 1 moves f4", "", ""},
	{"mill.md", "| 2 | ` or `: the player to move | | 3 | phase", "", ""},
	{"mill.md", "| 4 | action", "", ""},
	{
		"mill.md", "| 5, 6, 7, 8 | white on the board and in hand, black on the board and in hand | | 9, 10 | men",
		"", "",
	},
	{"mill.md", "| 11 to 15 | 0 | | 16 | plies", "", ""},
	{"mill.md", "| 17 | 1 + (moves so far, less one if black is to move) / 2, rounded down; 0 is read as 1 |", "", ""},
	{
		"mill.md", "` 1, the default, is for beginners",
		"engine/mill/player/settings.go", `spin("SkillLevel", 1, 0, FullStrength`,
	},
	{"mill.md", "30 full strength. ` sets 30;", "engine/mill/player/options.go", "FullStrength = 30"},
	{"mill.md", "6-4 is a file of 195 MB and takes 85 s", "", ""},
	{
		"mill.md", "tables over 1 GiB (6-6, 7-5, 9-4 and larger)",
		"engine/mill/player/tables/tables.go", "maxBytes = 1 << 30",
	},
	{"pyrat.md", "(0,0) is bottom left, UP is y + 1", "", ""},
	{"pyrat.md", "after 300 turns", "engine/pyrat/rules/position.go", "defaultMaxTurns = 300"},
	{"pyrat.md", "(60 s), and", "arena/plan.go", `yaml:"max_move" default:"60s"`},
	{"pyrat.md", "bots of 2026", "", ""},
	{"pyrat.md", "in 20 MiB of its", "", ""},
	{"pyrat.md", "mud over 255", "", ""},
	{"santorini.md", "0000000000000000000000000/1/mortal:11,13/mortal:7,17 └ 25 heights │ └ player 1 " +
		"└ player 2 └ player to move, 1 or 2", "", ""},
	{"santorini.md", "heights are 0 to 4, from A5 to E5, then A4 to E4, down to E1; a dome is 4", "", ""},
	{"santorini.md", "numbers (0 is A5, 24 is E1)", "", ""},
	{"santorini.md", "5 | 0 1 2 3 4 4 | 5 6 7 8 9 3 | 10 11 12 13 14 2 | 15 16 17 18 19 1 | 20 21 22 23 24", "", ""},
	{"santorini.md", "player 1 has won", "", ""},
	{"santorini.md", "within 10 s", "arena/plan.go", `yaml:"start" default:"10s"`},

	{"nets.md", "| Gyges | 3 | 157,699 |", "engine/gyges/player/net/weights.net", `"positions":157699`},
	{
		"nets.md", "| 0.249 | 0.173 |",
		"engine/gyges/player/net/weights.net", `"loss":0.17266908019697833,"hand_loss":0.2490`,
	},
	{"nets.md", "| Mill | 2 | 223,116 |", "engine/mill/player/net/weights.net", `"positions":223116`},
	{
		"nets.md", "| 0.152 | 0.059 |",
		"engine/mill/player/net/weights.net", `"loss":0.05907981240040213,"hand_loss":0.1518`,
	},
	{
		"nets.md", "mortals today | 2,800,001 | 0.0704 | 0.0251",
		"engine/santorini/player/net/mortals.net", `"positions":2800001`,
	},
	{
		"nets.md", "mortals today | 2,800,001 | 0.0704 | 0.0251",
		"engine/santorini/player/net/mortals.net", `"loss":0.025119919148135016,"hand_loss":0.07044`,
	},
	{
		"nets.md", "gods today | 2,560,557 | 0.0866 | 0.0417",
		"engine/santorini/player/net/gods.net", `"positions":2560557`,
	},
	{
		"nets.md", "gods today | 2,560,557 | 0.0866 | 0.0417",
		"engine/santorini/player/net/gods.net", `"loss":0.041680720800286244,"hand_loss":0.0866`,
	},
}

// prose is a page without its code: of blocks of text all, of other blocks the comments.
func prose(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	comment := regexp.MustCompile(`(?m) # .*$`)
	return regexp.MustCompile("(?ms)^ *```.*?^ *```$").ReplaceAllStringFunc(string(text), func(block string) string {
		switch first, rest, _ := strings.Cut(block, "\n"); {
		case strings.HasSuffix(first, "```text"):
			return strings.TrimSuffix(strings.TrimSpace(rest), "```")
		case strings.Contains(first, "```sh"), strings.Contains(first, "```yaml"):
			return strings.Join(comment.FindAllString(rest, -1), "\n")
		}
		return ""
	})
}

// Each number of a page outside of code is in figures, and so is what it is from: to change one, change both. Results
// are sealed (TestPublished), and blocks run (TestDocuments).
func TestFigures(t *testing.T) {
	top := filepath.Join("..", "..")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(name)))
		gametest.OK(t, err)
		return strings.Join(strings.Fields(string(text)), " ")
	}
	code := regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)")
	list := regexp.MustCompile(`(?m)^\d+\. `)
	number := regexp.MustCompile(`(^|[^\w.\-])\d[\d.,]*`)
	found := make([]bool, len(figures))
	for _, name := range append(documents(t), filepath.Join(top, "results", "nets.md")) {
		page := filepath.Base(name)
		item := 0
		text := list.ReplaceAllStringFunc(prose(t, name), func(number string) string {
			if item++; number != fmt.Sprintf("%d. ", item) {
				if item = 1; number != "1. " {
					t.Errorf("%s: item %sof a list is after none of the number before", page, number)
				}
			}
			return ""
		})
		full := strings.Join(strings.Fields(text), " ")
		text = strings.Join(strings.Fields(code.ReplaceAllString(text, "`")), " ")
		covered := text
		for i, f := range figures {
			if f.page == page && (strings.Contains(text, f.words) || strings.Contains(full, f.words)) {
				found[i] = true
				covered = strings.ReplaceAll(covered, f.words, "")
			}
		}
		if page == "nets.md" {
			continue // the other numbers are of players that are gone
		}
		for _, at := range number.FindAllStringIndex(covered, -1) {
			t.Errorf("%s: %q: a number without a source: delete it, or add it to figures",
				page, covered[max(0, at[0]-40):min(len(covered), at[1]+20)])
		}
	}
	for i, f := range figures {
		if !found[i] {
			t.Errorf("%s does not say %q", f.page, f.words)
		}
		if f.file != "" && !strings.Contains(read(f.file), f.from) {
			t.Errorf("%s says %q, but %s has no %q", f.page, f.words, f.file, f.from)
		}
	}
}

// No number of a page changes unseen, also one that a reader chooses or that no program prints. Those of results are
// sealed. THERA_UPDATE=1 accepts what stands there.
func TestNumbersOfPages(t *testing.T) {
	top := filepath.Join("..", "..")
	pages := documents(t)
	more, err := filepath.Glob(filepath.Join(top, "engine", "*", "*", "*.md"))
	gametest.OK(t, err)
	pages = append(pages, more...)
	var all strings.Builder
	for _, page := range pages {
		text, err := os.ReadFile(page)
		gametest.OK(t, err)
		name, err := filepath.Rel(top, page)
		gametest.OK(t, err)
		for line := range strings.Lines(string(text)) {
			if numbers := regexp.MustCompile(`\d[\d.,:]*`).FindAllString(line, -1); numbers != nil {
				fmt.Fprintln(&all, filepath.ToSlash(name), strings.Join(numbers, " "))
			}
		}
	}
	gametest.Golden(t, filepath.Join("testdata", "numbers.txt"), []byte(all.String()))
}

// The numbers of a row of docs/from-fastchess.md are the same on both sides. Plies are twice the moves, and
// milliseconds 1,000 times the seconds. The games of a round and the number of an engine have none on the other side.
func TestTranslatedNumbers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "from-fastchess.md"))
	if err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`\d+(\.\d+)?`)
	rows := regexp.MustCompile("(?m)^\\| (`.*`) \\| (.*) \\|$").FindAllStringSubmatch(string(text), -1)
	for _, row := range rows {
		left := strings.NewReplacer("-games 2", "", "-seeds 1", "").Replace(row[1])
		right := strings.ReplaceAll(row[2], "cpus: [0, 1]", "")
		same := func(a, b string) bool {
			x, _ := strconv.ParseFloat(a, 64)
			y, _ := strconv.ParseFloat(b, 64)
			return x == y || strings.Contains(right, "plies") && 2*x == y ||
				strings.Contains(right, "ms}") && 1000*x == y
		}
		l, r := number.FindAllString(left, -1), number.FindAllString(right, -1)
		for _, a := range l {
			if !slices.ContainsFunc(r, func(b string) bool { return same(a, b) }) {
				t.Errorf("%s: no %s in %s", row[1], a, row[2])
			}
		}
		for _, b := range r {
			if !slices.ContainsFunc(l, func(a string) bool { return same(a, b) }) {
				t.Errorf("%s: no %s in %s", row[2], b, row[1])
			}
		}
	}
	if len(rows) < 20 {
		t.Errorf("only %d rows", len(rows))
	}
}
