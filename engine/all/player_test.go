package all

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
)

// A player scores more with more search, a higher level or its net than with less. Limits are
// nodes: the games are the same on every machine. The long form plays ten times as many.
func TestPlayersBeatTheirWeakerSelvesLong(t *testing.T) {
	gametest.Sequential(t)
	set := func(name, value string) []game.Option { return []game.Option{{Name: name, Value: value}} }
	nodes := func(n int64, options ...game.Option) side { return side{options, game.Ask{Nodes: n}} }
	for _, tt := range []struct {
		name, game   string
		strong, weak side
		pairs        int
		share        float64 // of the points
	}{
		{"20,000 nodes against depth 2", "santorini", nodes(20_000), side{ask: game.Ask{Depth: 2}}, 2, 0.7},
		{"level 30 against 20", "mill", nodes(8000, set("SkillLevel", "30")...), nodes(8000, set("SkillLevel", "20")...), 5, 0.5},
		{"level 20 against 10", "mill", nodes(8000, set("SkillLevel", "20")...), nodes(8000, set("SkillLevel", "10")...), 3, 0.5},
		{"level 10 against 0", "mill", nodes(8000, set("SkillLevel", "10")...), nodes(8000, set("SkillLevel", "0")...), 3, 0.5},
		{"120 playouts against 4", "hex", nodes(120), nodes(4), 8, 0.55},
		{"20 playouts against random moves", "hex", nodes(20), nodes(20, set("bot", "random")...), 2, 0.9},
		{"the net against the evaluation by hand", "gyges", nodes(200), nodes(200, set("eval", "hand")...), 5, 0.55},
	} {
		t.Run(tt.game+": "+tt.name, func(t *testing.T) {
			pairs := tt.pairs
			if gametest.Long(t) {
				pairs *= 10
			}
			g, random, points := gameNamed(t, tt.game), rand.New(rand.NewPCG(2, 98)), 0.0
			for range pairs {
				history := opening(t, g, random)
				for i, sides := range [2][2]side{{tt.strong, tt.weak}, {tt.weak, tt.strong}} {
					switch _, outcome := playGame(t, g, g.Dialects()[0], history, sides, 400); outcome.Winner {
					case game.None:
						points += 0.5
					case game.Seat(i + 1):
						points++
					}
				}
			}
			t.Logf("%v of %d points", points, 2*pairs)
			if points <= tt.share*float64(2*pairs) {
				t.Errorf("%v of %d points, want more than %v", points, 2*pairs, tt.share*float64(2*pairs))
			}
		})
	}
}

// opening is two random turns of each side after which neither is far ahead.
func opening(t *testing.T, g game.Game, random *rand.Rand) *game.History {
	for {
		start, err := g.Start(0, 1)
		if err != nil {
			t.Fatal(err)
		}
		history := game.Begin(start)
		for history.Ply < 4 {
			turns := game.TurnsFrom(history.Position)
			if len(turns) == 0 {
				break
			}
			if history, err = history.Play(turns[random.IntN(len(turns))]); err != nil {
				t.Fatal(err)
			}
		}
		if _, over := history.Position.Outcome(); over {
			continue
		}
		expected, err := Player(g.Name()).Expect(t.Context(), history.Position, 2000)
		if err != nil {
			t.Fatal(err)
		}
		if expected > 0.35 && expected < 0.65 {
			return history
		}
	}
}

// The score that a player expects of the first seat.
func TestExpect(t *testing.T) {
	for _, tt := range []struct {
		game, text string
		nodes      int64
		low, high  float64
	}{
		{"santorini", "0000000000000000000000000/1/mortal:11,13/mortal:7,17", 5000, 0.3, 0.7},
		{"santorini", "0000000000002320000000000/1/mortal:12,24/mortal:0,20", 5000, 0.99, 1},
		{"santorini", "0000000000002320000000000/2/mortal:0,20/mortal:12,24", 5000, 0, 0.01},
		{"santorini", "0000000000000100002300000/2/mortal#:13,18/mortal:7,8", 5000, 1, 1},
		{"mill", "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", 3000, 0.3, 0.7},
		{"mill", "*OO*O***/*****@@*/***@**** w m s 3 0 3 0 0 0 0 0 0 0 0 9 30", 3000, 0.99, 1},
		{"mill", "*OO*O@**/***@**@*/O*O****O b m s 6 0 3 0 0 0 0 0 0 0 0 9 30", 3000, 0.99, 1},
		{"mill", "@O@*@O@*/@*******/@O@O@O@O w o s 6 0 9 0 0 0 0 0 0 0 0 0 30", 3000, 0, 0},
		{"mill", "O@OO*@OO/O**@O*@@/@*@O@@*O b o s 9 0 9 0 0 0 0 0 0 0 0 120 14", 3000, 0.5, 0.5},
		{"gyges", "start 1", 3000, 0.2, 0.8},
		{"gyges", "000000/000000/000000/000000/222333/111123 1", 3000, 0.99, 1},        // wins at once
		{"gyges", "303030/222211/000001/130000/000000/000000 1", 3000, 0, 0.01},        // has no move
		{"gyges", "000000/000000/000000/000000/222033/111123 2 goal:1", 3000, 0.99, 1}, // over
		{"gyges", "023000/000003/301011/000000/220321/000000 1", 3000, 0, 0.01},        // every move loses
		{"hex", "3 b2", 200_000, 1, 1},                      // the second program has lost
		{"hex", "2 a1 b2 b1", 200_000, 1, 1},                // over
		{"hex", "3", 200_000, 1, 1},                         // the first stone in the middle wins
		{"hex", "4 d4 c1 d3 c2 d2 c3 a1", 200_000, 0, 0},    // white wins on c4
		{"hex", "2 a1 b1 b2", 200_000, 0, 0},                // white's a2 joins
		{"hex", "5 c3 a1 b4 a2 d2 a3 a5", 200_000, 0.95, 1}, // bridges to both edges
	} {
		pos, err := gameNamed(t, tt.game).Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Player(tt.game).Expect(t.Context(), pos, tt.nodes); err != nil || got < tt.low || got > tt.high {
			t.Errorf("%s %s: %v, %v, want %v to %v", tt.game, tt.text, got, err, tt.low, tt.high)
		}
	}
}

// The signature depends on the options. (TestPlayers of cmd/thera compares that of no options.)
func TestSignaturesDependOnOptions(t *testing.T) {
	gametest.Sequential(t)
	for name, option := range map[string]game.Option{
		"santorini": {Name: "history", Value: "0"}, "mill": {Name: "history", Value: "0"}, "gyges": {Name: "history", Value: "0"},
		"pyrat": {Name: "Playouts", Value: "9"}, "hex": {Name: "playouts", Value: "9"},
	} {
		p := Player(name)
		n, err := p.Signature(t.Context(), map[string]string{option.Name: option.Value})
		if err != nil || n == p.Version().Signature {
			t.Errorf("%s: %d nodes with %v, %v", name, n, option, err)
		}
		for _, bad := range []map[string]string{{"magic": "1"}, {option.Name: "x"}} {
			if _, err := p.Signature(t.Context(), bad); err == nil {
				t.Errorf("%s: %v is taken", name, bad)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Signature(ctx, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// lines are the lines that an engine may print.
var lines = map[string]*regexp.Regexp{
	"santorini": regexp.MustCompile(`^(pong|\{.*\})$`),
	"mill": regexp.MustCompile(`^(readyok|uciok|id (name|author) .+|option name .+|` +
		`info (string |depth \d+ score (cp|mate) -?\d+ nodes |currmove ).*|bestmove (-|x?[a-g][1-7]|[a-g][1-7]-[a-g][1-7]))$`),
}

// Engines answer each ping, print whole lines, and end with their input, whatever it is.
func FuzzEngines(f *testing.F) {
	for i, text := range []string{
		"set_position 0000000000000000000000000/1/mortal:11,13/mortal:7,17 depth 1 final\nping\nstop\nnext_moves 0000000000000000000000000/1/mortal/bia",
		"uci\nucinewgame\nposition startpos moves a1 d1\ngo depth 2\nstop\nposition fen bad\ngo infinite\r\ndebug on\nxyz",
		"ugi\nsetpos bench\nsetoption maxPly 2\ngo\nstop\ngo\r\ngo\nsetpos data 321123/000000/000000/000000/000000/321123",
		"setoption name Strategy value Greedy\nrecover\nmaze height:3 width:4\ncheese (1,2)\nmoves_history UP\ngo\ntimeout move:STAY\nready?",
		"init_board 4\n\nseto a1\n\nswap\nshow_board\ncheck_win",
		"set_option skill 3\nset_option x\nnew_game\r\nquit\nset_position \x00\nfoo \"\\",
		"position fen O@OO*@OO/O**@O*@@/@*@O@@*O b m s 9 0 9 0 0 0 0 0 0 0 0 9 14 moves c3-d3 e4-f4\rgo nodes 100\nsetoption name Algorithm value 1",
	} {
		f.Add(uint8(i%len(list)), []byte(text))
	}
	f.Fuzz(func(t *testing.T, which uint8, in []byte) {
		g := list[int(which)%len(list)]
		low := strings.ToLower(string(in))
		for _, word := range []string{"hash", "threads", "path", "playouts", "make_move"} {
			if strings.Contains(low, word) {
				return // gigabytes, files, or minutes of search on request
			}
		}
		ping, pong := g.game.Dialects()[0].Ping()
		var out bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := g.player.Serve(ctx, nil, io.MultiReader(bytes.NewReader(in), strings.NewReader("\n"+ping+"\n")), &out, io.Discard); err != nil || ctx.Err() != nil {
			t.Fatalf("%s: %v, %v", g.game.Name(), err, ctx.Err())
		}
		said := out.String()
		if said != "" && !strings.HasSuffix(said, "\n") {
			t.Errorf("%s: said %q", g.game.Name(), said)
		}
		quits := regexp.MustCompile(`(^|[\r\n])[ \t]*quit`).Match(in)
		if ping != "" && !quits && !strings.Contains(said, pong+"\n") {
			t.Errorf("%s: no %s in %q", g.game.Name(), pong, said)
		}
		for line := range strings.Lines(said) {
			if form := lines[g.game.Name()]; form != nil && !form.MatchString(strings.TrimSuffix(line, "\n")) {
				t.Errorf("%s: said %q", g.game.Name(), line)
			}
		}
	})
}

// What reads as a position keeps the contract, and so does each position after it. A move is
// legal if and only if it is listed, or leads to a listed position, or is played with a warning.
func FuzzPositions(f *testing.F) {
	for _, seed := range []struct{ game, text, move string }{
		{"santorini", "0000000000000000000000000/1/mortal:11,13/mortal:7,17", "1000000000000000000000000/2/mortal:B4,13/mortal:7,C2"},
		{"santorini", "0332444241142430434334442/1/artemis:7,15/pan#:12,24", ""},
		{"santorini", "0030223023034301222111400/2/hephaestus:7,20/pan:5,16", "#"},
		{"santorini", "0000000000000000000000000/2/hephaestus:A1,B1/artemis", "x"},
		{"santorini", "0102104120001020100003010/1/selene[B3]:B3,D3/clio[1|D5,C3]:C4,C2", ""},
		{"mill", "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "d2"},
		{"mill", "*OOO*@**/**O*****/@@@*O*** w p r 5 4 4 5 1 0 0 0 0 0 0 0 5", "xd1"},
		{"mill", "@O@*@O@*/@*******/@O@O@O@O w o s 6 0 9 0 0 0 0 0 0 0 0 0 30", "a1"},
		{"mill", "*@@@*@*@/****@@**/*O***@O* b o r 2 0 8 0 0 1 0 0 0 0 0 0 41", ""},
		{"mill", "********/OO*****O/@****@*@ w m s 3 0 3 0 0 0 8 9 0 0 0 99 29", "draw"},
		{"gyges", "start 1", "0|1|9"},
		{"gyges", "bench 2", "100|100|100"},
		{"gyges", "000000/000000/000000/000000/222033/111123 2 goal:1", "0||1"},
		{"gyges", "303030/222211/000001/130000/000000/000000 1", "-1|2"},
		{"pyrat", "maze height:3 width:4; walls (0,0)-(0,1); mud (1,0)-(2,0):3; cheese (2,0) (1,2) (3,2); player1 rat (3,2); player2 python (0,0); " +
			"max_turns 10; turn 1; score rat:0.5 python:1; mud_timers rat:0 python:2; mud_targets rat:- python:(1,0)", "U"},
		{"hex", "11 a1 swap b2", "c3"},
		{"hex", "2 a1 b2 b1", "a2"},
		{"hex", "5 a01", "A1"},
	} {
		f.Add(uint8(slices.IndexFunc(Games(), func(g game.Game) bool { return g.Name() == seed.game })), seed.text, seed.move)
	}
	f.Fuzz(func(t *testing.T, which uint8, text, move string) {
		g := list[int(which)%len(list)].game
		pos, err := g.Parse(text)
		if err != nil || strings.Contains(text, "morpheus[") { // who may have millions of turns
			return
		}
		gametest.CheckPosition(t, g, pos)
		seat := pos.ToMove().Only()
		if seat == game.None {
			return
		}
		moves := pos.Moves(seat)
		for _, m := range append(slices.Clone(moves[:min(len(moves), 100)]), move) {
			next, err := pos.Play(game.By(seat, m))
			listed := slices.Contains(moves, m)
			var illegal *game.Illegal
			switch {
			case err != nil && (listed || !errors.As(err, &illegal) || illegal.Rule == ""):
				t.Errorf("%s %q: listed %v, %v", pos, m, listed, err)
			case err == nil && !listed && !slices.Contains(moves, next.String()):
				if roles, ok := g.(game.RoleCatalog); !ok || roles.Warning(next) == "" {
					t.Errorf("%s %q is played, but not listed", pos, m)
				}
			case err == nil:
				gametest.CheckPosition(t, g, next)
				_ = next.Draw(game.By(seat, m), true)
			}
		}
	})
}
