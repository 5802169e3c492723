package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"thera/engine/all"
	"thera/engine/santorini/player/net"
)

// benchCommand measures the built-in players.
func benchCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench [GAME…]",
		Short: "Search fixed positions: the built-in players' signatures and speed",
		RunE: func(cmd *cobra.Command, args []string) error {
			games := all.Games()
			for i, name := range args { // all are known before the first is measured
				g, err := findGame(name)
				if err != nil {
					return err
				}
				games = append(games[:i], g)
			}
			if !asJSON {
				fmt.Fprintf(cmd.OutOrStdout(), "%s evaluation\n", net.Kernel())
			}
			for _, g := range games {
				begun := time.Now()
				nodes, err := all.Player(g.Name()).Signature(cmd.Context(), nil)
				if err != nil {
					return fmt.Errorf("%s: %w", g.Name(), err)
				}
				seconds := time.Since(begun).Seconds()
				if asJSON {
					err = json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{
						"game": g.Name(), "signature": nodes, "seconds": seconds, "nodes_per_second": float64(nodes) / max(seconds, 1e-9),
						"evaluation": net.Kernel(),
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
	jsonFlag(cmd, &asJSON, eachObject)
	return cmd
}
