package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"thera/arena/store"
	"thera/arena/web"
)

// reportCommand writes a run as one file for a browser.
func reportCommand() *cobra.Command {
	var db, html string
	var games int
	cmd := &cobra.Command{
		Use:   "report [RUN] --html FILE",
		Short: "Write a run as one HTML file with tables, plots and games to replay",
		Long: "Writes one file that needs no server and no network: the tables and plots of thera results, and games\n" +
			"that can be stepped through. Of more games than --games it takes those that ended by a fault, up to half\n" +
			"of them, and others spread over the run.",
		Example: "  thera report quickstart.yaml --html quickstart.html\n  thera report --html night.html --games 50",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case html == "":
				return errors.New("--html FILE is needed: where to write the report")
			case games < 0:
				return fmt.Errorf("--games %d: expected 0 or more", games)
			}
			return withStore(cmd, db, func(ctx context.Context, db *store.Store) error {
				run, err := runNamed(ctx, db, args)
				if err != nil {
					return err
				}
				var damaged error // the report is written all the same
				err = writeWhole(html, func(w io.Writer) error {
					err := web.WriteReport(ctx, w, web.Options{Store: db, Game: gameOfRun}, run, games)
					if errors.Is(err, store.ErrDamaged) {
						damaged, err = err, nil
					}
					return err
				})
				return errors.Join(err, damaged)
			})
		},
	}
	dbFlag(cmd, &db)
	cmd.Flags().StringVar(&html, "html", "", "the `FILE` to write")
	cmd.Flags().IntVar(&games, "games", 200, "how many games to include at most")
	return cmd
}
