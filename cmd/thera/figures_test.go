package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// figures are the words of pages that have numbers, with a file and the words of it that the numbers are from. Those
// of no file follow from what a word means, or tell of other programs.
var figures = []struct{ page, words, file, from string }{
	{"faults.md", "a line over 1 MiB, or 64 MiB or", "arena/player/line.go", "playCaps = caps{line: 1 << 20, bytes: 64 << 20}"},
	{"faults.md", "200,000 lines in a move", "arena/player/line.go", "mostLines = 200_000"},
	{"faults.md", "If over 5 % of the pairs", "arena/session/count.go", "voidShare = 20"},
	{"faults.md", "first three games", "arena/tournament/account.go", "deadAfter = 3"},
	{"faults.md", "over half of the time", "arena/player/stall.go", "stolen/n <= most/2"},
	{"faults.md", "two thirds of the processors", "arena/player/stall.go", "3*rival >= 2*n*span"},
	{"faults.md", "(at least three)", "arena/session/count.go", "voidsLeast = 3"},
	{"faults.md", "three times in a row", "arena/session/count.go", "voidsRunning = 3"},
	{"formats.md", "up to eight pairs", "arena/tournament/knockout.go", "extra = 8"},
	{"many-machines.md", "On the second charge", "arena/remote/audit.go", "mostCharges = 2"},
	{"many-machines.md", "when two of its pairs, and over one in twenty", "arena/remote/member.go", "mostBad = 2 badShare = 20"},
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
	{"versions.md", "The exit status is 0 if H1 is accepted, 3 otherwise, and 2 for a failed build", "cmd/thera/main.go", "exitDone = 0"},
	{"versions.md", "each of 50 pairs", "arena/tournament/sprt.go", "samePairs = 50"},
	{"versions.md", "Below 0.9", "arena/tournament/sprt.go", "slower = 0.9"},
	{"versions.md", "one commit has 95 %", "arena/versions/bisect.go", "enough = 0.95"},
	{"versions.md", "status 3 if none", "cmd/thera/main.go", "exitNotMet = 3"},
	{"versions.md", "status 0 if the test", "cmd/thera/main.go", "exitDone = 0"},
	{"versions.md", "15 minutes and 4 GiB", "arena/versions/source/source.go", "time: 15 * time.Minute, bytes: 4 << 30"},
	{"CHANGELOG.md", "## 0.1.0", "cmd/thera/main.go", `release = "0.1.0"`},
	{"CHANGELOG.md", "From 0.2 on", "", ""},
	{"releases.md", "A program has 35 MB", "scripts/release/main_test.go", "mostProgram = 36_000_000"},
	{"releases.md", "make it 50 MB", "scripts/release/main_test.go", "mostProgram = 36_000_000"},
	{"supported.md", "(kernel 6.1)", "", ""},
	{"supported.md", "96 games", "configs/quickstart.yaml", "rounds: 16"},
	{"supported.md", "Wine 8", "", ""},
	{"README.md", "with Go 1.26", "go.mod", "go 1.26"},
	{"README.md", "Bounds are 95 %", "arena/rating/student.go", "step := (0.975 - student(t, freedom))"},
	{"README.md", "| 0 | done", "cmd/thera/main.go", "exitDone = 0"},
	{"README.md", "| 1 | a finding", "cmd/thera/main.go", "exitFindings = 1"},
	{"README.md", "| 2 | bad input", "cmd/thera/main.go", "exitBadInput = 2"},
	{"README.md", "| 3 | a requirement", "cmd/thera/main.go", "exitNotMet = 3"},
	{"README.md", "| 130 | interrupted", "cmd/thera/main.go", "exitInterrupted = 130"},

	{"nets.md", "| Gyges | 3 | 157,699 |", "engine/gyges/player/net/weights.net", `"positions":157699`},
	{"nets.md", "| 0.249 | 0.173 |", "engine/gyges/player/net/weights.net", `"loss":0.17266908019697833,"hand_loss":0.2490`},
	{"nets.md", "| Mill | 2 | 223,116 |", "engine/mill/player/net/weights.net", `"positions":223116`},
	{"nets.md", "| 0.152 | 0.059 |", "engine/mill/player/net/weights.net", `"loss":0.05907981240040213,"hand_loss":0.1518`},
	{"nets.md", "mortals today | 2,800,001 | 0.0704 | 0.0251", "engine/santorini/player/net/mortals.net", `"positions":2800001`},
	{"nets.md", "mortals today | 2,800,001 | 0.0704 | 0.0251", "engine/santorini/player/net/mortals.net", `"loss":0.025119919148135016,"hand_loss":0.07044`},
	{"nets.md", "gods today | 2,560,557 | 0.0866 | 0.0417", "engine/santorini/player/net/gods.net", `"positions":2560557`},
	{"nets.md", "gods today | 2,560,557 | 0.0866 | 0.0417", "engine/santorini/player/net/gods.net", `"loss":0.041680720800286244,"hand_loss":0.0866`},
}

// The pages of games, whose numbers are those of rules and protocols, which have tests.
var ofGames = []string{"santorini.md", "mill.md", "gyges.md", "pyrat.md", "hex.md"}

// Each number of a page outside of code is in figures, and so is what it is from: to change one, change both. Results
// are sealed (TestPublished), and blocks run (TestDocuments).
func TestFigures(t *testing.T) {
	top := filepath.Join("..", "..")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(text)), " ")
	}
	code := regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)")
	list := regexp.MustCompile(`(?m)^\d+\. `)
	number := regexp.MustCompile(`(^|[^\w.\-])\d[\d.,]*`)
	found := make([]bool, len(figures))
	for _, name := range append(documents(t), filepath.Join(top, "results", "nets.md")) {
		page := filepath.Base(name)
		if slices.Contains(ofGames, page) {
			continue
		}
		text := list.ReplaceAllString(outsideBlocks(t, name), "")
		text = strings.Join(strings.Fields(code.ReplaceAllString(text, "`")), " ")
		covered := text
		for i, f := range figures {
			if f.page == page && strings.Contains(text, f.words) {
				found[i] = true
				covered = strings.ReplaceAll(covered, f.words, "")
			}
		}
		if page == "nets.md" {
			continue // the other numbers are of players that are gone
		}
		for _, at := range number.FindAllStringIndex(covered, -1) {
			t.Errorf("%s: %q: a number without a source: delete it, or add it to figures", page, covered[max(0, at[0]-40):min(len(covered), at[1]+20)])
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
