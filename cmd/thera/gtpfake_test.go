package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"thera/engine/protocol"
)

// gtpHex is a program that speaks GTP and takes any arguments: gtphex KIND …. Its moves are the
// first free cells, column by column, so that white joins its edges in the end.
func gtpHex() {
	kind, size, moves := os.Args[1], "11", []string{}
	scan := bufio.NewScanner(os.Stdin)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		id, name, args := protocol.GTPCommand(scan.Bytes())
		text, err := "", error(nil)
		if args = append(args, "", ""); name == "undo" && len(moves) == 0 {
			name = "nothing to undo"
		}
		switch name {
		case "":
			continue
		case "protocol_version", "name", "version":
			text = "2"
		case "known_command":
			text = "false"
		case "boardsize":
			if size, moves = args[0], nil; kind == "small" && size > "5" {
				err = fmt.Errorf("argument 1 (%s) must be less or equal 5", size)
			}
		case "clear_board":
			moves = nil
		case "play":
			if moves = append(moves, args[1]); kind == "refuser" && len(moves) > 1 {
				err = fmt.Errorf("illegal move: %s", args[1])
			}
		case "undo":
			moves = moves[:len(moves)-1]
		case "param_x":
			if args[0] != "max_time" {
				err = fmt.Errorf("unknown parameter: %s", args[0])
			}
		case "genmove":
			text = free(size, moves)
			moves = append(moves, text)
			switch {
			case kind == "resigner":
				text = "resign"
			case kind == "crasher" && len(moves) > 3:
				self, _ := os.FindProcess(os.Getpid())
				_ = self.Kill()
				select {}
			case kind == "cheat" && len(moves) > 2:
				text = moves[0]
			case kind == "mute":
				err = fmt.Errorf("no move")
			}
		case "quit":
		default:
			err = fmt.Errorf("unknown command: %s", name)
		}
		fmt.Println(protocol.GTPAnswer(id, text, err))
		if name == "quit" {
			return
		}
	}
}

// free is the first free cell.
func free(size string, taken []string) string {
	n := 0
	_, _ = fmt.Sscan(size, &n)
	for i := range n * n {
		if cell := fmt.Sprintf("%c%d", 'a'+i/n, i%n+1); !strings.Contains(" "+strings.Join(taken, " ")+" ", " "+cell+" ") {
			return cell
		}
	}
	return "resign"
}

// muttering is a bot of the club that prints what GTP could mean, and takes no other word
// than its own.
func muttering() {
	if len(os.Args) != 2 {
		os.Exit(2)
	}
	scan, moves := bufio.NewScanner(os.Stdin), []string{}
	for scan.Scan() {
		switch word, cell, _ := strings.Cut(scan.Text(), " "); word {
		case "":
		case "init_board":
			moves = nil
		case "seto":
			moves = append(moves, cell)
		case "make_move":
			fmt.Println("? let me think")
			moves = append(moves, free("5", moves))
			fmt.Println(moves[len(moves)-1])
		case "quit":
			return
		default:
			os.Exit(3)
		}
	}
}
