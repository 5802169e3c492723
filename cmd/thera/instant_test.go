package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"

	"thera/engine/game"
)

// instantGame is the one game that the instant engine plays: an answer for each position,
// as long as that of an engine that says what it thinks.
func instantGame() map[string][]byte {
	g, err := findGame("santorini")
	if err != nil {
		panic(err)
	}
	start, err := g.Start(0, 1)
	if err != nil {
		panic(err)
	}
	answers := map[string][]byte{}
	for history := game.Begin(start); ; {
		if _, over := history.Position.Outcome(); over {
			return answers
		}
		at, turns := history.Position.String(), game.TurnsFrom(history.Position)
		if history, err = history.Play(turns[7*history.Ply%len(turns)]); err != nil {
			panic(err)
		}
		answers[at] = fmt.Appendf(nil, `{"type":"best_move","start_state":%q,"next_state":%q,"trigger":"end_of_line",`+
			`"meta":{"calculated_depth":3,"elapsed_seconds":0.001250,"score":-12,"nodes_visited":29607,"pv":[%[2]q,%[1]q]}}`+"\n",
			at, history.Position)
	}
}

// instant is an engine that answers at once.
func instant() {
	answers := instantGame()
	fmt.Println(`{"type":"started","features":["limits","new_game","v2"]}`)
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for {
		line, err := in.ReadSlice('\n')
		word, rest, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		position, _, _ := bytes.Cut(rest, []byte(" "))
		switch {
		case err != nil || string(word) == "quit":
			return
		case string(word) == "ping":
			fmt.Println("pong")
		case string(word) == "set_position":
			_, _ = os.Stdout.Write(answers[string(position)])
		}
	}
}
