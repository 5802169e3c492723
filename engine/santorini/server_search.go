package santorini

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// setPosition stops what runs and starts to think about a new position. With
// a limit it ends by itself.
func (s *server) setPosition(ctx context.Context, words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("set_position wants a position")
	}
	p, f, err := s.read(words[0])
	if err != nil {
		return err
	}
	if p.winner != 0 {
		return fmt.Errorf("position: the game is over, player %d has won", p.winner)
	}
	l, final, err := limitsOf(words[1:])
	if err != nil {
		return err
	}
	s.hush()
	j := &job{server: s, asked: words[0], from: p, form: f, final: final, begun: time.Now()}
	s.mu.Lock()
	s.search = searchState{start: p.text(f), begun: j.begun, running: true}
	s.mu.Unlock()
	s.thinker.Start(ctx, func(ctx context.Context) { j.run(ctx, l) })
	return nil
}

// job is one search for one set_position.
type job struct {
	*server
	asked string
	from  state
	form  form
	final bool // print the last line only
	begun time.Time
	text  []byte
}

func (j *job) run(ctx context.Context, l thinkLimits) {
	defer func() {
		j.mu.Lock()
		j.search.running = false
		j.mu.Unlock()
	}()
	best := j.player.search(ctx, &j.from, l, func(r thought) {
		j.mu.Lock()
		j.search.depth, j.search.nodes = r.depth, r.nodes
		j.mu.Unlock()
		if !j.final {
			j.print(&r, triggerImprovement)
		}
	})
	j.mu.Lock()
	quiet := j.search.quiet
	j.mu.Unlock()
	if quiet {
		return
	}
	j.print(&best, best.trigger)
}

// print writes one best_move line.
func (j *job) print(r *thought, why trigger) {
	next, chain := r.next, []Action{{Kind: NoMoves}}
	if !r.found {
		next = blocked(&j.from, j.form)
	} else {
		chain, _ = explain(&j.from, &next)
	}
	out := append(j.text[:0], `{"type":"best_move"`...)
	out = j.heading(out, j.asked, &j.from, j.form)
	out = appendText(append(out, `,"next_state":`...), &next, j.form)
	if j.v2 {
		out = append(append(append(out, `,"trigger":"`...), why...), '"')
	}
	out = append(out, `,"meta":{"calculated_depth":`...)
	out = strconv.AppendInt(out, int64(r.depth), 10)
	out = strconv.AppendFloat(append(out, `,"elapsed_seconds":`...), time.Since(j.begun).Seconds(), 'f', 6, 64)
	out = strconv.AppendInt(append(out, `,"score":`...), int64(r.score), 10)
	out = strconv.AppendInt(append(out, `,"nodes_visited":`...), r.nodes, 10)
	out = append(append(append(out, `,"trigger":"`...), why...), '"')
	out = appendChain(append(out, `,"actions":`...), chain, j.form)
	if j.v2 {
		out = quote(append(out, `,"action_str":`...), actionText(chain))
	}
	out = append(out, `,"pv":[`...)
	for i := range r.pv {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendText(out, &r.pv[i], j.form)
	}
	j.text = append(out, "]}}"...)
	j.out.Line(j.text)
}

// actionText is a chain in a short notation: "D3>E1^D1", as engines of
// dialect v2 print it.
func actionText(chain []Action) string {
	var out []byte
	for _, a := range chain {
		switch a.Kind {
		case SelectWorker:
			if len(out) > 0 {
				out = append(out, ' ')
			}
		case MoveWorker, MoveWithSwap, MoveWithPush:
			out = append(out, '>')
		case Build:
			out = append(out, '^')
		default:
			out = append(append(append(out, ' '), a.Kind.String()...), ' ')
		}
		if a.At != noSquare && a.Kind != NoMoves && a.Kind != SetWind {
			out = append(out, squareName(a.At)...)
		}
	}
	return string(out)
}
