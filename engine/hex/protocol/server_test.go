package protocol

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/gametest"
	"thera/engine/hex/rules"
)

// talk sends lines to a fresh bot with a small search and returns its output.
func talk(t *testing.T, args []string, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	in := strings.NewReader(strings.Join(lines, "\n") + "\n")
	if err := (Player{}).Serve(context.Background(), append([]string{"--playouts", "20"}, args...), in, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return strings.Fields(out.String())
}

func TestServerBoard(t *testing.T) {
	for _, tt := range []struct {
		name  string
		args  []string
		lines []string
		want  []string
	}{
		{"v2 board", []string{"black"}, []string{"init_board 4", "", "show_board", "seto b2", "", "sety d4", "show_board", "unset d4", "show_board"}, []string{"....|....|....|....|", "....|.W..|....|...B|", "....|.W..|....|....|"}},
		{"white's own are W", []string{"white"}, []string{"init_board 2", "sety a1", "seto b2", "show_board"}, []string{"W.|.B|"}},
		{"red is black", []string{"red"}, []string{"init_board 2", "sety a1", "show_board"}, []string{"B.|..|"}},
		{"blue is white", []string{"blue"}, []string{"init_board 2", "sety a1", "show_board"}, []string{"W.|..|"}},
		{"v1 size", []string{"--size", "3"}, []string{"init_board", "show_board"}, []string{"...|...|...|"}},
		{"v1 usual size", nil, []string{"init_board", "show_board"}, []string{strings.Repeat("...........|", 11)}},
		{"v1 first is black", []string{"--size=2"}, []string{"init_board", "sety a1", "seto b2", "show_board"}, []string{"B.|.W|"}},
		{"v1 second is white", []string{"--size=2"}, []string{"init_board", "seto a1", "sety b2", "show_board"}, []string{"B.|.W|"}},
		{"init clears", []string{"black"}, []string{"init_board 2", "sety a1", "init_board 3", "show_board"}, []string{"...|...|...|"}},
		{"same stone twice", []string{"black"}, []string{"init_board 2", "sety a1", "sety a1", "unset b2", "show_board"}, []string{"B.|..|"}},
		{"one cell", []string{"black"}, []string{"init_board 1", "check_win", "make_move"}, []string{"0", "a1"}},
		{"wins", []string{"white"}, []string{"init_board 3", "sety a1", "sety a2", "sety a3", "check_win", "init_board 3", "seto a1", "seto b1", "seto c1", "check_win"}, []string{"1", "-1"}},
		{"swap turns the colour", []string{"black"}, []string{"init_board 2", "sety a1", "swap", "sety b2", "show_board"}, []string{"B.|.W|"}},
		{"blanks and returns", []string{"black"}, []string{"", "  ", " init_board  2 \r", "\tshow_board"}, []string{"..|..|"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, talk(t, tt.args, tt.lines...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestServerSaysErrorAndChangesNothing(t *testing.T) {
	bad := []string{
		"hello", "init_board x", "init_board 0", "init_board 27", "init_board 4 4", "make_move now", "seto", "seto a9", "seto A1", "seto a01",
		"sety", "sety z1", "sety b2", "seto a1", "unset", "unset q1", "unset a1 a2", "swap now", "show_board 1", "check_win x", "quit now",
		"option", "option time", "option time soon", "option playouts 0", "option bot best", "option swap maybe", "option seed -1", "option magic 1",
		"\x00\xff", strings.Repeat("x", 2<<20),
	}
	lines := []string{"init_board 3", "sety a1", "seto b2"}
	want := []string{}
	for _, line := range bad {
		lines = append(lines, line, "show_board")
		want = append(want, "error", "B..|.W.|...|")
	}
	if diff := cmp.Diff(want, talk(t, []string{"black"}, lines...)); diff != "" {
		t.Error(diff)
	}
}

func TestServerMoves(t *testing.T) {
	for _, args := range [][]string{{"black"}, {"white"}, nil, {"--bot", "two-distance"}, {"--bot=random", "--seed=4"}} {
		said := talk(t, args, "init_board 3", "seto b2", "make_move", "show_board", "make_move", "seto "+"b2", "show_board")
		if len(said) != 4 {
			t.Fatalf("%q: said %q", args, said)
		}
		first, err := rules.ParseCell(said[0], 3)
		second, err2 := rules.ParseCell(said[2], 3)
		if err != nil || err2 != nil || first == second || first == 4 || second == 4 {
			t.Errorf("%q: said %q", args, said)
		}
		if stones := 9 - strings.Count(said[3], "."); stones != 3 {
			t.Errorf("%q: %d stones on %s", args, stones, said[3])
		}
	}
	if said := talk(t, []string{"black"}, "init_board 1", "make_move", "make_move"); said[1] != errorWord {
		t.Errorf("a move on a full board: %q", said)
	}
	// A bot that is asked after the end of the game still answers.
	if said := talk(t, []string{"black"}, "init_board 3", "seto a1", "seto a2", "seto a3", "make_move"); len(said) != 1 || len(said[0]) != 2 {
		t.Errorf("after the end: %q", said)
	}
}

func TestServerSwapsOnlyWhenAllowed(t *testing.T) {
	lines := []string{"init_board 3", "seto b2", "make_move", "show_board"}
	if said := talk(t, []string{"white", "--swap"}, lines...); said[0] != rules.SwapWord || said[1] != "...|.B.|...|" {
		t.Errorf("a winning stone is not swapped: %q", said)
	}
	if said := talk(t, []string{"white"}, lines...); said[0] == rules.SwapWord {
		t.Errorf("swapped without leave: %q", said)
	}
	said := talk(t, []string{"white"}, "init_board 3", "option swap true", "seto b2", "make_move", "seto a1", "make_move")
	if said[0] != rules.SwapWord || said[1] == rules.SwapWord {
		t.Errorf("by option: %q", said)
	}
	if said := talk(t, []string{"black", "--swap"}, "init_board 3", "make_move", rules.SwapWord, "make_move"); said[1] == rules.SwapWord {
		t.Errorf("swapped back: %q", said)
	}
	if said := talk(t, []string{"white", "--swap", "true"}, "init_board 5", "seto a1", "make_move"); said[0] == rules.SwapWord {
		t.Errorf("a corner stone is swapped: %q", said)
	}
}

func TestServerArguments(t *testing.T) {
	for _, args := range [][]string{
		{"green"},
		{"black", "white"},
		{"--size"},
		{"--size", "0"},
		{"--size", "27"},
		{"--size=x"},
		{"--time", "0s"},
		{"--time=1"},
		{"--magic", "1"},
		{"--bot"},
		{"black", "--swap=maybe"},
		{"Black"},
	} {
		if err := (Player{}).Serve(context.Background(), args, strings.NewReader("quit\n"), io.Discard, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
	if err := (Player{}).Serve(context.Background(), []string{"--time=1s", "--size", "26", "blue"}, strings.NewReader("quit\n"), io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
}

// quit and the end of input end a search at once, and its move is printed.
func TestServerQuit(t *testing.T) {
	var out bytes.Buffer
	begin := time.Now()
	err := (Player{}).Serve(context.Background(), []string{"--time", "1h", "black"}, strings.NewReader("init_board\nmake_move\nquit\n"), &out, io.Discard)
	if took := time.Since(begin); err != nil || !isMove(strings.TrimSpace(out.String())) || took > 10*time.Minute {
		t.Errorf("%v, %q after %v", err, out.String(), took)
	}
	out.Reset()
	err = Player{}.Serve(context.Background(), []string{"--time", "1h", "black"}, strings.NewReader("init_board\nmake_move"), &out, io.Discard)
	if took := time.Since(begin); err != nil || strings.Count(out.String(), "\n") != 1 || took > 10*time.Minute {
		t.Errorf("%v, %q after %v", err, out.String(), took)
	}
}

// The search keeps to the time that the option sets.
func TestServerKeepsItsTime(t *testing.T) {
	conn := gametest.Join(t, Player{}, "black")
	for _, line := range []string{"option time 30ms", "init_board 11", "make_move"} {
		if err := conn.Send([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	begin := time.Now()
	if line, err := conn.Recv(context.Background()); err != nil || !isMove(string(line)) {
		t.Errorf("%s, %v", line, err)
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("30 ms took %v", took)
	}
}

// Under a limit of playouts or depth no time ends the search, and games are equal.
func TestServerTakesLimits(t *testing.T) {
	for _, limit := range []string{"option playouts 30", "option depth 3"} {
		lines := []string{limit, "init_board 5", "make_move", "seto a1", "make_move", limit, "make_move"}
		said := talk(t, []string{"black", "--time", "1h"}, lines...)
		again := talk(t, []string{"black"}, lines...)
		if len(said) != 5 || said[0] != okWord || said[3] != okWord || !slices.Equal(said, again) {
			t.Errorf("%s: %q", limit, said)
		}
	}
}
