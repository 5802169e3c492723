package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/engine/game"
)

// lawGames is how often the recorded game is gone through.
const lawGames = 20

// law measures what a move costs more where an engine is asked for the rules: the
// question, its list and the look into it. Two engines are asked at the same time.
func (b *bench) law(ctx context.Context, rec *arena.Record) error {
	if b.Governed == nil {
		return nil
	}
	spawner, err := proc.NewSpawner()
	if err != nil {
		return err
	}
	defer spawner.Close()
	dialect, err := match.Dialect(b.Governed, "")
	if err != nil {
		return err
	}
	p := player.New(arena.EngineSpec{Name: "law", Command: b.Engine}, dialect, b.args[0], instantLimit(), player.Options{Spawner: spawner})
	defer p.Kill()
	start, err := b.Governed.Parse(rec.Start)
	if err != nil {
		return err
	}
	if err := p.Start(ctx, start); err != nil {
		return err
	}
	var took []float64
	for range lawGames {
		pos := start
		for _, move := range rec.Moves {
			begun := time.Now()
			at, ok := pos.(game.Foreign)
			if !ok {
				return fmt.Errorf("%s has rules of its own", pos)
			}
			list, _, err := p.List(ctx, at)
			if err != nil {
				return err
			}
			if pos, err = at.Under(list).Play(game.ParseTurn(at.ToMove(), move)); err != nil {
				return err
			}
			took = append(took, time.Since(begun).Seconds()*1e6)
		}
	}
	slices.Sort(took)
	if err := b.show("law: a list of next states, p50", took[len(took)/2], "µs/move"); err != nil {
		return err
	}
	return b.show("law: a list of next states, p99", took[len(took)*99/100], "µs/move")
}
