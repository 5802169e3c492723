package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
)

// Each game says a move as people do.
func TestMovesInWords(t *testing.T) {
	for _, tt := range []struct{ game, position, moves, want string }{
		{"santorini", "0000000000000000000000000/1/mortal/mortal", "0000000000000000000000000/2/mortal:11,13/mortal", "places B3, D3"},
		{"santorini", "0000000000000000000000000/1/mortal:11,13/mortal:7,17", "0000000000010000000000000/2/mortal:10,13/mortal:7,17", "B3-A3, builds B3"},
		{"santorini", "2300000000000000000000000/1/mortal:A5,D3/mortal:C4,C2", "2300000000000000000000000/2/#mortal:B5,D3/mortal:C4,C2", "A5-B5, wins"},
		{"santorini", "0000000000000000000000000/1/hopper[1]:A5,D3/mortal:C4,C2", "0000010000000000000000000/2/hopper[0]:B5,D3/mortal:C4,C3", "A5-B5, the opponent's C2-C3, builds A4"},
		{"mill", "", "d6 d7 d5 a7", "places d6; places d7; places d5; places a7"},
		{"mill", "", "d6 d2 f6 b2 b6 xd2", "places d6; places d2; places f6; places b2; places b6, closes a mill; removes d2"},
		{"gyges", "321123/000000/000000/000000/000000/321123 1", "0|1|9", "3 from 0 to 1, drops the 2 on 9"},
		{"gyges", "321123/000000/000000/000000/000000/321123 1", "2|8", "1 from 2 to 8"},
		{"hex", "5", "a1 swap c3", "black a1; swaps colours; white c3"},
		{"pyrat", "", "U/S", "rat up, python stays"},
	} {
		var rules []string
		if tt.game == "hex" {
			rules = []string{"size=5", "swap=true"}
		}
		g, err := findGameWith(tt.game, rules)
		if err == nil && strings.Contains(tt.position, "hopper") {
			g, err = governed(g)
		}
		if err != nil {
			t.Fatal(err)
		}
		pos, err := g.Start(0, 1)
		if tt.position != "" {
			pos, err = g.Parse(tt.position)
		}
		if err != nil {
			t.Errorf("%s: %v", tt.game, err)
			continue
		}
		var words []string
		for _, move := range strings.Fields(tt.moves) {
			var turn game.Turn
			if pos.ToMove() == game.Both {
				turn[0], turn[1], _ = strings.Cut(move, "/")
			} else {
				turn = game.By(pos.ToMove().Only(), move)
			}
			words = append(words, pos.Words(turn))
			if pos, err = pos.Play(turn); err != nil {
				t.Errorf("%s: %s: %v", tt.game, move, err)
				break
			}
		}
		if got := strings.Join(words, "; "); got != tt.want {
			t.Errorf("%s, %s: %q, want %q", tt.game, tt.moves, got, tt.want)
		}
	}
}

// The turn that only this god has, in words.
func TestGodsInWords(t *testing.T) {
	list, err := roles()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range list {
		if r.After != nil {
			fmt.Fprintf(&b, "%s: %s\n", r.Name, r.Example.Words(game.By(r.Example.ToMove().Only(), r.After.String())))
		}
	}
	gametest.Golden(t, filepath.Join("testdata", "gods", "words.golden"), []byte(b.String()))
}

// governed is g with its rules asked of the engines.
func governed(g game.Game) (game.Game, error) {
	rules, openings := g.Settings()
	if err := json.Unmarshal([]byte(`{"law":"`+game.LawBoth+`"}`), rules); err != nil {
		return nil, err
	}
	bound, problems := g.With(rules, openings)
	if len(problems) > 0 {
		return nil, problems[0]
	}
	return bound, nil
}
