package main

import (
	"context"
	"fmt"
	"io"

	"thera/arena/store"
)

// showRun prints a run's table.
func showRun(ctx context.Context, out io.Writer, db *store.Store, run int64) error {
	sum, err := db.Summary(ctx, run)
	if err != nil {
		return err
	}
	for _, row := range sum.Rows {
		fmt.Fprintf(out, "%s - %s (%d): %v\n", row.Pairing[0], row.Pairing[1], row.Leg, row.Games)
	}
	return nil
}
