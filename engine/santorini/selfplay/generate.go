package selfplay

import "context"

// Generate plays the games first to last-1 of a stream on some threads and calls put
// with each, in order. Memory does not grow with the number of games.
func Generate(ctx context.Context, h Header, first, last int64, threads int, put func(*Game) error) error {
	matchups, err := matchupsOf(h)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type done struct {
		game *Game
		err  error
	}
	lanes := make([]chan done, max(1, threads))
	for i := range lanes {
		a, err := newAuthor(h, matchups)
		if err != nil {
			return err
		}
		lane := make(chan done)
		lanes[i] = lane
		go func() {
			defer close(lane)
			for n := first + int64(i); n < last; n += int64(len(lanes)) {
				g, err := a.play(ctx, n)
				select {
				case lane <- done{g, err}:
				case <-ctx.Done():
					return
				}
				if err != nil {
					return
				}
			}
		}()
	}
	defer func() {
		cancel()
		for _, lane := range lanes { // wait for every player
			for range lane {
			}
		}
	}()
	for n := first; n < last; n++ {
		d, ok := <-lanes[(n-first)%int64(len(lanes))]
		if !ok {
			return ctx.Err()
		}
		if d.err != nil {
			return d.err
		}
		if err := put(d.game); err != nil {
			return err
		}
	}
	return nil
}
