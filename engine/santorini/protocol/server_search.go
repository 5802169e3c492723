package protocol

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
)

// setPosition stops a running search and starts one of a new position. A limit ends
// it.
func (s *server) setPosition(ctx context.Context, words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("set_position wants a position")
	}
	p, f, err := s.read(words[0])
	if err != nil {
		return err
	}
	if p.Winner != 0 {
		return fmt.Errorf("position: the game is over, player %d has won", p.Winner)
	}
	l, final, err := limitsOf(words[1:])
	if err != nil {
		return err
	}
	s.hush()
	j := &job{server: s, asked: words[0], from: p, form: f, final: final, begun: time.Now()}
	s.quiet.Store(false)
	s.thinker.Start(ctx, func(ctx context.Context) { j.run(ctx, l) })
	return nil
}

// job is the search of one set_position.
type job struct {
	*server
	asked string
	from  rules.State
	form  rules.Form
	final bool // print the last line only
	begun time.Time
	text  []byte
}

func (j *job) run(ctx context.Context, l player.Limits) {
	best := j.player.Search(ctx, &j.from, l, func(r player.Result) {
		if !j.final {
			j.print(&r, player.TriggerImprovement)
		}
	})
	if !j.quiet.Load() {
		j.print(&best, best.Trigger)
	}
}

// print writes one best_move line.
func (j *job) print(r *player.Result, why player.Trigger) {
	next, chain := r.Next, []rules.Action{{Kind: rules.NoMoves}}
	if !r.Found {
		next = rules.Blocked(&j.from, j.form)
	} else {
		chain, _ = rules.Explain(&j.from, &next)
	}
	out := append(j.text[:0], `{"type":"best_move"`...)
	out = j.heading(out, j.asked, &j.from, j.form)
	out = AppendPosition(append(out, `,"next_state":`...), &next, j.form)
	if j.v2 {
		out = append(append(append(out, `,"trigger":"`...), why...), '"')
	}
	out = append(out, `,"meta":{"calculated_depth":`...)
	out = strconv.AppendInt(out, int64(r.Depth), 10)
	out = strconv.AppendFloat(append(out, `,"elapsed_seconds":`...), time.Since(j.begun).Seconds(), 'f', 6, 64)
	out = strconv.AppendInt(append(out, `,"score":`...), int64(r.Score), 10)
	out = strconv.AppendInt(append(out, `,"nodes_visited":`...), r.Nodes, 10)
	out = append(append(append(out, `,"trigger":"`...), why...), '"')
	out = AppendChain(append(out, `,"actions":`...), chain, j.form)
	out = append(out, `,"pv":[`...)
	for i := range r.PV {
		if i > 0 {
			out = append(out, ',')
		}
		out = AppendPosition(out, &r.PV[i], j.form)
	}
	j.text = append(out, "]}}"...)
	j.out.Line(j.text)
}
