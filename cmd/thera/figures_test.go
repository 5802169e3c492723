package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// figures are words of pages that have numbers, each with a file and the words of it that the number is from.
var figures = []struct{ page, words, file, from string }{
	{"faults.md", "a line over 1 MiB, or 64 MiB", "arena/player/line.go", "caps{line: 1 << 20, bytes: 64 << 20}"},
	{"faults.md", "200,000 lines in a move", "arena/player/line.go", "mostLines = 200_000"},
	{"faults.md", "If 5 % of the pairs", "arena/tournament/account.go", "voidShare = 20"},
	{"faults.md", "first three games", "arena/tournament/account.go", "deadAfter = 3"},
	{"faults.md", "over half of the time", "arena/player/stall.go", "stolen/n+late <= most/2"},
	{"faults.md", "two thirds of the processors", "arena/player/stall.go", "3*rival >= 2*n*span"},
	{"faults.md", "(at least three)", "arena/tournament/account.go", "voidsLeast = 3"},
	{"faults.md", "three times in a row", "arena/session/count.go", "voidsRunning = 3"},
	{"formats.md", "up to eight pairs", "arena/tournament/knockout.go", "extra = 8"},
	{"many-machines.md", "On the second charge", "arena/remote/audit.go", "mostCharges = 2"},
	{"many-machines.md", "two of its pairs, and over one in twenty", "arena/remote/member.go", "mostBad = 2 badShare = 20"},
	{"faults.md", "than by chance (1 %)", "arena/tournament/account.go", "oneSided = 0.01"},
	{"faults.md", "Thera looks every 50 ms", "arena/proc/proc.go", "memoryEvery = 50 * time.Millisecond"},
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
	{"net.md", "The last 32 bytes", "engine/train/weights.go", "sha256.Sum256"},
	{"new-god.md", "Over 5 % of unrated pairs", "arena/tournament/require.go", "mostUnrated = 0.05"},
	{"new-god.md", "may have 64 MiB", "arena/player/line.go", "listCaps = caps{line: 64 << 20"},
	{"new-god.md", "take 30 s", "arena/match/rules.go", "rulesTime = 30 * time.Second"},
	{"output.md", "or 80 columns", "cmd/thera/screen.go", "usualColumns = 80"},
	{"output.md", "a 32-bit fingerprint", "arena/conditions.go", "sum[:4]"},
	{"output.md", "are for 95 %", "arena/rating/student.go", "step := (0.975 - student(t, freedom))"},
	{"page.md", "Lists have 100 rows", "arena/web/runs.go", "pageSize = 100"},
	{"page.md", "up to 100 plies", "arena/web/game.go", "mostFrames = 100"},
	{"sandbox.md", "64 MiB", "arena/sandbox/sandbox.go", "tmpBytes = 64 << 20"},
	{"sandbox.md", "4,096 files", "arena/sandbox/sandbox.go", "tmpFiles = 4096"},
	{"sandbox.md", "(512, and 8 for each core)", "arena/sandbox/spaces_linux.go", "return 512 + 8*runtime.NumCPU()"},
	{"threats.md", "Over 64 timers", "arena/proc/memory_linux.go", "mostAnonymous = 64"},
	{"threats.md", "or 256 files", "arena/proc/memory_linux.go", "mostWatches = 256"},
	{"threats.md", "Below 5 % of all pairs", "arena/tournament/account.go", "voidShare = 20"},
	{"versions.md", "each of 50 pairs", "arena/tournament/sprt.go", "samePairs = 50"},
	{"versions.md", "Below 0.9", "arena/tournament/sprt.go", "slower = 0.9"},
	{"versions.md", "one commit has 95 %", "arena/versions/bisect.go", "enough = 0.95"},
	{"versions.md", "15 minutes and 4 GiB", "arena/versions/source/source.go", "15 * time.Minute, bytes: 4 << 30"},
	{"CHANGELOG.md", "## 0.1.0", "cmd/thera/main.go", `release = "0.1.0"`},
	{"CHANGELOG.md", "version 2", "arena/report/export.go", "exportVersion = 2"},
	{"supported.md", "96 games", "configs/quickstart.yaml", "rounds: 16"},
	{"README.md", "with Go 1.26", "go.mod", "go 1.26"},
	{"README.md", "Bounds are 95 %", "arena/rating/student.go", "step := (0.975 - student(t, freedom))"},
	{"README.md", "# 5 pairs of games", "README.md", "--rounds 5 # 5 pairs of games"},
	{"README.md", "# H1: better by 50 Elo", "README.md", "elo1: 50} # H1: better by 50 Elo"},
	{"page.md", "# http://127.0.0.1:8080/", "cmd/thera/serve.go", `defaultListen = "127.0.0.1:8080"`},
	{"versions.md", "normalized Elo between -10 and 0", "cmd/thera/test.go", "normalized Elo -10 and 0"},
	{"versions.md", "a new idea: between 0 and 10", "cmd/thera/test.go", "normalized Elo 0 and 10"},
	{"commands.md", "`faults_percent <= 1`", "arena/tournament/require.go", `faultsPercent + " <= 1"`},
	{"gyges.md", "`321123/000000/000000", "engine/gyges/rules/board.go", `LayoutStart = "321123/000000/000000`},
	{"gyges.md", "from square 0 to square 13", "docs/gyges.md", "| `0\\|13` |"},
	{"gyges.md", "from 0 to 1, whose piece is put on 23,", "docs/gyges.md", "| `0\\|1\\|23` |"},
	{"hex.md", "(10 s)", "arena/plan.go", `yaml:"start" default:"10s"`},
	{"mill.md", "1, the default, is for", "engine/mill/player/settings.go", `spin("SkillLevel", 1, 0, FullStrength`},
	{"mill.md", "30 full strength. `thera vs` sets 30;", "engine/mill/player/options.go", "FullStrength = 30"},
	{"mill.md", "tables over 1 GiB", "engine/mill/player/tables/tables.go", "maxBytes = 1 << 30"},
	{"pyrat.md", "after 300 turns", "engine/pyrat/rules/position.go", "defaultMaxTurns = 300"},
	{"pyrat.md", "(60 s), and", "arena/plan.go", `yaml:"max_move" default:"60s"`},
	{"santorini.md", "within 10 s", "arena/plan.go", `yaml:"start" default:"10s"`},
	{"nets.md", "| Gyges | 3 | 157,699 |", "engine/gyges/player/net/weights.net", `"positions":157699`},
	{"nets.md", "| 0.249 | 0.173 |", "engine/gyges/player/net/weights.net", `0.17266908019697833,"hand_loss":0.2490`},
	{"nets.md", "| Mill | 2 | 223,116 |", "engine/mill/player/net/weights.net", `"positions":223116`},
	{"nets.md", "| 0.152 | 0.059 |", "engine/mill/player/net/weights.net", `0.05907981240040213,"hand_loss":0.1518`},
	{"nets.md", "mortals today | 200,000 | 6,640,959 |", "engine/santorini/player/net/mortals.net", `"games":200000,"positions":6640959`},
	{"nets.md", "| 0.1127 | 0.0435", "engine/santorini/player/net/mortals.net", `0.043522945182266376,"hand_loss":0.11268`},
	{"nets.md", "all gods today | 99,592 | 2,369,936 |", "engine/santorini/player/net/gods.net", `"games":99592,"positions":2369936`},
	{"nets.md", "| 0.1263 | 0.0551", "engine/santorini/player/net/gods.net", `0.0550774923681736,"hand_loss":0.1262`},
	{"nets.md", "of its own | 119,975 | 2,802,725 |", "engine/santorini/player/net/twelve.net", `"games":119975,"positions":2802725`},
	{"nets.md", "| 0.1294 | 0.0466", "engine/santorini/player/net/twelve.net", `0.04658766352249538,"hand_loss":0.12939`},
}

// Numbers of pages are those of the code: to change one, change both. Exit statuses are those of the stories, and
// blocks run (TestDocuments).
func TestFigures(t *testing.T) {
	top := filepath.Join("..", "..")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(name)))
		gametest.OK(t, err)
		return strings.Join(strings.Fields(string(text)), " ")
	}
	for _, f := range figures {
		page := "docs/" + f.page
		switch f.page {
		case "README.md":
			page = f.page
		case "nets.md":
			page = "results/" + f.page
		}
		if !strings.Contains(read(page), f.words) {
			t.Errorf("%s does not say %q", f.page, f.words)
		}
		if !strings.Contains(read(f.file), f.from) {
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
