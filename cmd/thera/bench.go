package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"thera/arena/bench"
	"thera/engine/all"
	"thera/engine/game"
)

// benchCommand measures the built-in players; its subcommand arena measures the
// arena.
func benchCommand() *cobra.Command {
	var options []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench [GAME…]",
		Short: "Search fixed positions with the built-in players: the signature of each, and its speed",
		Long: `bench searches the same positions in each game to the same depth, on one thread.

The signature is the number of nodes searched. It is the same on every machine, so a change of it
means that the player plays differently; a change of the speed alone means that it plays faster.
--option switches heuristics off, as in "--option killers=0".`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switches, err := readSwitches(options)
			if err != nil {
				return err
			}
			games, err := gamesOf(args)
			if err != nil {
				return err
			}
			for _, g := range games {
				begun := time.Now()
				nodes, err := g.Signature(cmd.Context(), switches)
				if err != nil {
					return fmt.Errorf("%s: %w", g.Name(), err)
				}
				seconds := time.Since(begun).Seconds()
				if asJSON {
					err = json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{
						"game": g.Name(), "signature": nodes, "seconds": seconds, "nodes_per_second": float64(nodes) / max(seconds, 1e-9),
					})
				} else {
					_, err = fmt.Fprintf(cmd.OutOrStdout(), "%-10s signature %10d  %6.2f s  %6.2f M nodes/s\n",
						g.Name(), nodes, seconds, float64(nodes)/max(seconds, 1e-9)/1e6)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.AddCommand(benchArenaCommand())
	cmd.Flags().StringArrayVar(&options, "option", nil, "`name=value` of the player, repeatable")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a game")
	return cmd
}

func readSwitches(words []string) (map[string]string, error) {
	switches := map[string]string{}
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--option %q: want name=value", word)
		}
		switches[name] = value
	}
	return switches, nil
}

// gamesOf finds the named games; without names it is all of them.
func gamesOf(names []string) ([]game.Game, error) {
	if len(names) == 0 {
		return all.Games(), nil
	}
	var found []game.Game
	for _, name := range names {
		g, err := findGame(name)
		if err != nil {
			return nil, err
		}
		found = append(found, g)
	}
	return found, nil
}

// governed is g with its rules asked of the engines, nil if they cannot be.
func governed(g game.Game) (game.Game, error) {
	if _, ok := g.(game.RoleCatalog); !ok {
		return nil, nil
	}
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

// benchArenaCommand measures what the arena itself costs.
func benchArenaCommand() *cobra.Command {
	name := "santorini"
	var o bench.Options
	cmd := &cobra.Command{
		Use:   "arena",
		Short: "Measure the arena itself: moves/s, CPU time a move, turnaround, start and restart",
		Long: `arena plays games between scripted engines that answer at once, at concurrency 1, 2 and 4. Every move
is checked and every game is stored. For comparison it sends the same lines to the same engines over
bare pipes.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			g, err := findGame(name)
			if err != nil {
				return err
			}
			if o.Games < 2 {
				return fmt.Errorf("--games %d: want at least 2", o.Games)
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			o.Game, o.Version, o.Out = g, version(), cmd.OutOrStdout()
			if o.Governed, err = governed(g); err != nil {
				return err
			}
			o.Engine = []string{self, "engine", g.Name()}
			o.Instant = []string{self, "bench", "arena", "instant"}
			return bench.Run(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&name, "game", name, "the game to play")
	cmd.Flags().IntVar(&o.Games, "games", 2000, "games of each measurement")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "one JSON object a figure")
	cmd.AddCommand(&cobra.Command{
		Use: "instant", Hidden: true, Args: cobra.ArbitraryArgs, Short: "The instant engine of bench arena",
		RunE: func(cmd *cobra.Command, args []string) error {
			return bench.Serve(args, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	})
	return cmd
}
