package web

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/replay"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/engine/game"
)

// The cache keeps runs with up to this many games in all, and this many replayed
// games: folding a run is quick, but not as quick as a page should be.
const (
	mostGames   = 400_000
	mostReplays = 32
)

// loaded is a run at one moment, with what its page shows. It does not change.
type loaded struct {
	info   arena.RunInfo
	games  []arena.Finished // in job order, void ones too; of a stored run
	sum    *arena.Summary
	parts  func() parts // that follow from sum, drawn when they are first asked for
	damage error        // damaged games, which are in no figure
	took   time.Duration
	at     time.Time
	used   int64
}

// cache keeps what was read from the store.
type cache struct {
	db   *store.Store
	game func(*arena.RunInfo) (game.Game, error)

	mu      sync.Mutex
	uses    int64
	runs    map[int64]*loaded
	loading map[int64]*sync.Mutex // so that a run is folded once for all visitors
	replays []*replay.Game        // the last used last
}

func newCache(db *store.Store, g func(*arena.RunInfo) (game.Game, error)) *cache {
	return &cache{db: db, game: g, runs: map[int64]*loaded{}, loading: map[int64]*sync.Mutex{}}
}

// run returns a stored run. If it has changed since it was read, it is read again,
// but a long run that is being played at most every 20 times as long as that takes.
func (c *cache) run(ctx context.Context, info arena.RunInfo) (*loaded, error) {
	if l := c.kept(info); l != nil {
		return l, nil
	}
	c.mu.Lock()
	one := c.loading[info.ID]
	if one == nil {
		one = &sync.Mutex{}
		c.loading[info.ID] = one
	}
	c.mu.Unlock()
	one.Lock()
	defer one.Unlock()
	if l := c.kept(info); l != nil {
		return l, nil
	}
	begin := time.Now()
	l, err := c.load(ctx, info)
	if err != nil {
		return nil, err
	}
	l.at = time.Now()
	l.took = l.at.Sub(begin)
	c.keep(l)
	return l, nil
}

// kept returns the run if it is there and not out of date.
func (c *cache) kept(info arena.RunInfo) *loaded {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.runs[info.ID]
	if l == nil {
		return nil
	}
	same := l.info.Changed.Equal(info.Changed) && l.info.Games == info.Games && l.info.State == info.State && l.info.Name == info.Name
	if !same && (info.State != "running" || time.Since(l.at) > 20*l.took) {
		return nil
	}
	c.uses++
	l.used = c.uses
	return l
}

func (c *cache) keep(l *loaded) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uses++
	l.used = c.uses
	c.runs[l.info.ID] = l
	for {
		games, oldest := 0, l
		for _, other := range c.runs {
			games += len(other.games) + 2000 // for what is drawn
			if other.used < oldest.used {
				oldest = other
			}
		}
		if games <= mostGames || oldest == l {
			return
		}
		delete(c.runs, oldest.info.ID)
	}
}

// load reads and folds a run. Damaged games are left out and named.
func (c *cache) load(ctx context.Context, info arena.RunInfo) (*loaded, error) {
	g, err := c.game(&info)
	if err != nil {
		return nil, err
	}
	info, engines, done, err := c.db.Load(ctx, info.ID)
	damage := err
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return nil, err
	}
	sum, err := tournament.Summarize(info.PlanOf(g, engines), info, done)
	if err != nil {
		return nil, errors.Join(damage, err)
	}
	l := atMoment(sum)
	l.info, l.games, l.damage = info, done, damage
	return l, nil
}

// atMoment is a run as its summary has it.
func atMoment(sum *arena.Summary) *loaded {
	return &loaded{info: sum.Run, sum: sum, parts: sync.OnceValue(func() parts { return partsOf(sum) })}
}

// replay returns a stored game with its positions.
func (c *cache) replay(ctx context.Context, id string) (*replay.Game, error) {
	c.mu.Lock()
	for i, r := range c.replays {
		if r.Record.ID == id {
			c.replays = append(slices.Delete(c.replays, i, i+1), r)
			c.mu.Unlock()
			return r, nil
		}
	}
	c.mu.Unlock()
	rec, info, err := c.db.Game(ctx, id)
	if err != nil {
		return nil, err
	}
	g, err := c.game(&info)
	if err != nil {
		return nil, err
	}
	r, err := replay.New(g, info, rec)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.replays = append(c.replays, r); len(c.replays) > mostReplays {
		c.replays = slices.Delete(c.replays, 0, 1)
	}
	return r, nil
}
