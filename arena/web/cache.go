package web

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/store"
	"thera/arena/tournament"
)

// mostGames bounds the runs that the cache keeps, by their games: to read a run is
// quick, but not as quick as a page should be. What is drawn of a run counts as drawnGames.
const (
	mostGames  = 400_000
	drawnGames = 2_000
)

// loaded is a run at one moment, with what its page shows. It does not change.
type loaded struct {
	info   arena.RunInfo
	games  []arena.Game // in job order, void ones too; of a stored run
	sum    *arena.Summary
	parts  func() parts // that follow from sum, drawn when they are first asked for
	damage error        // damaged games, which are in no figure
	due    time.Time    // before which a run that is being played is not read again
}

// atMoment is a run as its summary has it.
func atMoment(sum *arena.Summary) *loaded {
	draw := func() parts { return partsOf(sum, len(sum.Figures.Roles) <= mostHeat) }
	return &loaded{info: sum.Run, sum: sum, parts: sync.OnceValue(draw)}
}

// serves reports whether the run is there and not out of date.
func (l *loaded) serves(info *arena.RunInfo) bool {
	if l == nil {
		return false
	}
	was := &l.info
	return was.Changed.Equal(info.Changed) && was.Games == info.Games && was.State == info.State && was.Name == info.Name ||
		info.State == "running" && time.Now().Before(l.due)
}

// cache keeps what was read from the store.
type cache struct {
	mu   sync.Mutex
	runs map[int64]*cachedRun
}

// cachedRun is a run of the cache.
type cachedRun struct {
	games int // that it keeps in memory; guarded by the cache

	reading sync.Mutex // while one request reads the run, others wait
	now     *loaded    // nil before it was read

	drawing sync.Mutex
	view    view
}

// place returns the place of a run.
func (c *cache) place(id int64) *cachedRun {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.runs[id] == nil {
		c.runs[id] = &cachedRun{}
	}
	return c.runs[id]
}

// keep notes the size of a run. If that is too much for the cache, other runs leave it.
func (c *cache) keep(id int64, r *cachedRun, games int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.games = games
	sum := 0
	for _, r := range c.runs {
		sum += r.games
	}
	if sum > mostGames {
		c.runs = map[int64]*cachedRun{id: r}
	}
}

// load returns a stored run. If it has changed since it was read, it is read again,
// but a run that is being played no more often than it is drawn.
func (s *Server) load(ctx context.Context, info arena.RunInfo) (*loaded, error) {
	r := s.cache.place(info.ID)
	r.reading.Lock()
	defer r.reading.Unlock()
	if r.now.serves(&info) {
		return r.now, nil
	}
	begin := time.Now()
	l, err := s.opts.load(ctx, info)
	if err != nil {
		return nil, err
	}
	l.due = begin.Add(pause(time.Since(begin), 0))
	r.now = l
	s.cache.keep(info.ID, r, len(l.games)+drawnGames)
	return l, nil
}

// load reads a run and makes its summary. Damaged games are left out and named.
func (o *Options) load(ctx context.Context, info arena.RunInfo) (l *loaded, err error) {
	g, err := o.Game(&info)
	if err != nil {
		return nil, err
	}
	damage := o.Store.Load(ctx, info.ID, func(run arena.RunInfo, games iter.Seq[*arena.Game]) error {
		var done []arena.Game
		for g := range games {
			done = append(done, *g)
		}
		sum, err := tournament.Summarize(run.PlanOf(g), run, tournament.Stored(done), nil)
		if err == nil {
			l = atMoment(sum)
			l.info, l.games = run, done
		}
		return err
	})
	if l == nil || damage != nil && !errors.Is(damage, store.ErrDamaged) {
		return nil, damage
	}
	l.damage = damage
	return l, nil
}

// replay returns a stored game with its positions.
func (o *Options) replay(ctx context.Context, id string) (*match.Replay, error) {
	rec, info, err := o.Store.Game(ctx, id)
	if err != nil {
		return nil, err
	}
	g, err := o.Game(&info)
	if err != nil {
		return nil, err
	}
	return match.NewReplay(g, info, rec)
}
