// Command train makes the weights of the built-in players' nets. It fits the nets of Gyges,
// Mill and Hex to games that the player plays against itself:
//
//	go run ./scripts/train mill play -games 1000 -out some.games
//	go run ./scripts/train mill fit -out engine/mill/player/net/weights.net some.games
//
// For the larger net of Hex, pack writes the weights that fithex.py fitted. For Santorini this
// command writes the positions from which fit.py fits the nets, and packs the weights that
// fit.py writes:
//
//	go run ./scripts/train santorini play|rows|groups|pack …
//
// The caller chooses the data; scripts/nets has the commands. The same flags and weights
// give the same games. On one platform the same games and flags give the same weights.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"thera/engine/train"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(2)
	}
}

// fitted is a net that this command fits. The functions declare flags and return a
// function to call once the flags are parsed.
type fitted struct {
	play func(flags *flag.FlagSet) func() (playing, error)
	fit  func(flags *flag.FlagSet) writing
	pack func(flags *flag.FlagSet) writing // of weights that another program fitted, nil if there is none
}

// writing writes a file of weights for files of games.
type writing func(seed uint64, t train.Training, files []string, path string, out io.Writer) error

// playing is self-play: the header of its file of games, and its players.
type playing struct {
	header string
	player func(seed uint64) (train.Player, error)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	net, ok := map[string]fitted{"santorini": {play: playSantorini}, "gyges": gyges(), "mill": mill(), "hex": hexNet()}[strings.Join(args[:min(1, len(args))], "")]
	if !ok || len(args) < 2 {
		return fmt.Errorf("%q: want santorini, gyges, mill or hex, then play or fit", args)
	}
	if net.fit == nil && args[1] != "play" {
		return santorini(ctx, args[1:], out)
	}
	flags := flag.NewFlagSet(args[0]+" "+args[1], flag.ContinueOnError)
	flags.SetOutput(out)
	path := flags.String("out", "", "file to write")
	seed := flags.Uint64("seed", 1, "seed of the random numbers")
	switch args[1] {
	case "play":
		games := flags.Int("games", 1000, "number of games")
		threads := flags.Int("threads", 1, "games at once")
		prepare := net.play(flags)
		if err := flags.Parse(args[2:]); err != nil {
			return err
		}
		if *games < 1 || *threads < 1 || *path == "" {
			return errors.New("want -out FILE, and -games and -threads of at least 1")
		}
		p, err := prepare()
		if err != nil {
			return err
		}
		header := fmt.Sprintf("%s: %d games, seed %d, %s", args[0], *games, *seed, p.header)
		players := make([]train.Player, *threads)
		for i := range players {
			if players[i], err = p.player(*seed); err != nil {
				return err
			}
		}
		return train.WriteGames(*path, header, func(w io.Writer) error { return train.Play(ctx, w, *games, players) })
	case "fit", "pack":
		prepare := net.fit
		if args[1] == "pack" {
			prepare = net.pack
		}
		if prepare == nil {
			break
		}
		write := prepare(flags)
		if err := flags.Parse(args[2:]); err != nil {
			return err
		}
		t := train.Training{Command: "go run ./scripts/train " + strings.Join(args, " "), Commit: commit(ctx)}
		return write(*seed, t, flags.Args(), *path, out)
	}
	return fmt.Errorf("%q: want play or fit, for hex also pack", args[1])
}

// commit returns the commit of the working directory, followed by -dirty if files were
// changed. Outside a repository it returns "".
func commit(ctx context.Context) string {
	text, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// valued is a net that evaluates positions. Its games begin with at most plies random moves
// and are played with nodes nodes a search.
func valued[P, Q, N any](recipe train.Recipe[P, N], s train.Settings, plies int, nodes int64, build builder[Q, N]) fitted {
	return fitted{
		play: func(flags *flag.FlagSet) func() (playing, error) {
			return selfPlay(flags, plies, nodes, recipe.Format, build)
		},
		fit: func(flags *flag.FlagSet) writing {
			s.Flags(flags)
			flags.Float64Var(&s.Lambda, "lambda", 0.5, "weight of the search's score in the target; the rest is the outcome")
			return func(seed uint64, t train.Training, files []string, path string, out io.Writer) error {
				s.Seed = seed
				return recipe.Fit(&s, t, files, path, out)
			}
		},
	}
}

// builder returns a player that searches nodes nodes a move. It evaluates by hand, with the
// net n, or with the program's net if n is nil.
type builder[P, N any] func(nodes int64, byHand bool, n *N) (*train.Self[P], error)

// selfPlay declares the flags of a player that plays against itself. format is the format of
// the nets that it can load, nil if it has only the program's.
func selfPlay[P, N any](flags *flag.FlagSet, plies int, nodes int64, format *train.Format[N], build builder[P, N]) func() (playing, error) {
	flags.IntVar(&plies, "plies", plies, "largest number of random plies before a game, at least 1")
	flags.Int64Var(&nodes, "nodes", nodes, "nodes of each search")
	eval := flags.String("eval", "net", "the player's evaluation: net, hand, or a file of weights")
	return func() (playing, error) {
		if plies < 1 || nodes < 1 {
			return playing{}, fmt.Errorf("-plies %d -nodes %d: want at least 1", plies, nodes)
		}
		n, by, err := evaluation(*eval, format)
		if err != nil {
			return playing{}, err
		}
		return playing{fmt.Sprintf("%d nodes, at most %d random plies, eval %s", nodes, plies, by), func(seed uint64) (train.Player, error) {
			s, err := build(nodes, by == "hand", n)
			if err != nil {
				return nil, err
			}
			return s.Player(plies, seed), nil
		}}, nil
	}
}

// evaluation reads the value of the flag eval. by is "net", "hand", or the SHA-256 of the
// file that holds n.
func evaluation[N any](eval string, format *train.Format[N]) (n *N, by string, err error) {
	if eval == "net" || eval == "hand" {
		return nil, eval, nil
	}
	if format == nil {
		return nil, "", fmt.Errorf("-eval %s: want net or hand", eval)
	}
	file, err := os.ReadFile(eval)
	if err != nil {
		return nil, "", fmt.Errorf("-eval: want net, hand or a file of weights: %w", err)
	}
	if n, _, err = format.Decode(file); err != nil {
		return nil, "", fmt.Errorf("-eval %s: %w", eval, err)
	}
	return n, fmt.Sprintf("%x", sha256.Sum256(file)), nil
}
