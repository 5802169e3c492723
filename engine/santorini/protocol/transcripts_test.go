package protocol

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"thera/engine/santorini/rules"

	"thera/engine/game"
	"thera/engine/gametest"
)

// TestTranscripts replays every recorded session: it asks each question that the
// arena would ask again and judges the recorded answers.
func TestTranscripts(t *testing.T) {
	gametest.Sequential(t)
	gametest.Transcripts(t, "../testdata/transcripts", replaySession)
}

// sameQuestion: the arena writes positions in its way and adds nothing
// to a v1 question.
func sameQuestion(recorded, sent string) bool {
	a, b := strings.Fields(recorded), strings.Fields(sent)
	if len(a) == 0 || len(a) != len(b) || a[0] != b[0] {
		return false
	}
	if len(a) == 1 {
		return true
	}
	p, _, errA := rules.Parse(a[1])
	q, _, errB := rules.Parse(b[1])
	return errA == nil && errB == nil && p == q
}

func replaySession(t *testing.T, path string) gametest.Verdict {
	tr, err := gametest.ReadTranscript(path)
	if err != nil {
		t.Fatal(err)
	}
	v := gametest.Verdict{Verdict: "ok"}
	r := replay{t: t, dialect: filepath.Base(path)[:2], seen: map[string]int{}} // v1 or v2
	for _, part := range questions(tr) {
		r.ask(part)
	}
	var said []string
	for _, what := range []string{equal, differ, notOurs, over, blocked, misfit} {
		if r.seen[what] > 0 {
			said = append(said, fmt.Sprintf("%d %s", r.seen[what], what))
		}
	}
	if r.fault != nil {
		v.Verdict = "fault"
		said = append(said, r.fault.Error())
	}
	v.Reason, v.Moves = strings.Join(said, ", "), r.moves
	v.Passed, v.Warnings = r.passed, r.warnings
	return v
}

// questions cuts a recording before each question: the arena never asks while
// an engine still thinks, as the people who recorded did. Each part begins
// with what the engine said at its start.
func questions(tr *gametest.Transcript) []*gametest.Transcript {
	var parts []*gametest.Transcript
	begin := 0
	for i, e := range tr.Entries {
		if e.Mark == gametest.Sent {
			begin = i
			break
		}
	}
	head := tr.Entries[:begin]
	at := -1
	cut := func(end int) {
		if at >= 0 {
			parts = append(parts, &gametest.Transcript{Entries: slices.Concat(head, tr.Entries[at:end])})
		}
	}
	for i, e := range tr.Entries {
		if e.Mark == gametest.Sent && (strings.HasPrefix(e.Text, "set_position ") || strings.HasPrefix(e.Text, "next_moves ")) {
			cut(i)
			at = i
		}
	}
	cut(len(tr.Entries))
	if len(parts) == 0 {
		return []*gametest.Transcript{tr}
	}
	parts[len(parts)-1].Exit = tr.Exit
	return parts
}

type replay struct {
	t        *testing.T
	dialect  string
	conn     *gametest.Script
	session  game.Session
	passed   int
	warnings int
	moves    int
	seen     map[string]int // of what follows
	fault    error
}

const (
	equal   = "lists equal"
	differ  = "lists differ"
	notOurs = "positions we refuse"
	over    = "positions already over"
	blocked = "blocked positions not asked"
	misfit  = "positions that do not fit"
)

// ask puts the question of one part again, to an engine that plays it.
func (r *replay) ask(part *gametest.Transcript) {
	if r.fault != nil {
		return
	}
	r.conn = part.Play(sameQuestion)
	var err error
	r.session, _, err = dialect{name: r.dialect}.Dial(r.t.Context(), r.conn, game.Options{})
	if err != nil {
		r.fault = err
		return
	}
	if sends := part.Sends(); len(sends) > 0 {
		r.put(sends[0])
	}
	r.passed += len(r.conn.PassedLines())
	r.warnings += len(r.conn.Warnings())
}

func (r *replay) put(line string) {
	words := strings.Fields(line)
	if len(words) != 2 || words[0] != "set_position" && words[0] != "next_moves" {
		return
	}
	pos, err := rules.Read(words[1])
	if _, f, _ := rules.Parse(words[1]); err != nil || r.dialect == dialectV1 && f == rules.V2 {
		r.seen[notOurs]++
		return
	}
	if pos.ToMove() == 0 {
		r.seen[over]++
		return
	}
	if r.session.Fits(pos) != nil {
		r.seen[misfit]++
		return
	}
	r.conn.Arm()
	if words[0] == "next_moves" {
		r.list(pos)
		return
	}
	r.move(pos)
}

func (r *replay) list(pos game.Position) {
	moves, err := r.session.List(r.t.Context(), pos)
	switch {
	case err != nil:
		r.fault = err
	case slices.Equal(moves, pos.Moves(pos.ToMove().Only())):
		r.seen[equal]++
	default:
		r.seen[differ]++
	}
}

func (r *replay) move(pos game.Position) {
	history, sent := game.Begin(pos), len(r.conn.Sent)
	reply, err := gametest.Go(r.t.Context(), r.session, game.Ask{History: history, Time: time.Second})
	if err != nil {
		r.fault = err
		return
	}
	if len(r.conn.Sent) == sent {
		r.seen[blocked]++
	}
	if _, err := history.Play(game.By(pos.ToMove().Only(), reply.Move)); err != nil {
		var illegal *game.Illegal
		if !errors.As(err, &illegal) {
			r.t.Fatal(err)
		}
		r.fault = err
		return
	}
	r.moves++
}
