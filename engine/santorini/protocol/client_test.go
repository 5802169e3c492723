package protocol

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"thera/engine/santorini/rules"
	"thera/engine/santorini/rules/foreign"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/player"
)

// scripted dials a session with an engine made of a transcript's entries:
// lines that start with "> " are waited for, others are said.
func scripted(t *testing.T, name string, opts game.Options, lines ...string) (game.Session, *gametest.Script, error) {
	t.Helper()
	conn := playLines(lines)
	s, _, err := dialect{name: name}.Dial(t.Context(), conn, opts)
	return s, conn, err
}

// dialed is scripted where the start must not fail.
func dialed(t *testing.T, name string, opts game.Options, lines ...string) (game.Session, *gametest.Script) {
	t.Helper()
	s, conn, err := scripted(t, name, opts, lines...)
	if err != nil {
		t.Fatal(err)
	}
	return s, conn
}

func playLines(lines []string) *gametest.Script {
	tr := &gametest.Transcript{}
	for _, l := range lines {
		e := gametest.Entry{Mark: gametest.Said, Text: l}
		if rest, ok := strings.CutPrefix(l, "> "); ok {
			e = gametest.Entry{Mark: gametest.Sent, Text: rest}
		}
		tr.Entries = append(tr.Entries, e)
	}
	return tr.Play(nil)
}

func lineAt(t *testing.T, text string) *game.History {
	t.Helper()
	pos, err := rules.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return game.Begin(pos)
}

const (
	started   = `{"type":"started"}`
	nextText  = "1000000000000000000000000/2/mortal:5,13/mortal:7,17"
	otherNext = "0000000000000000000000001/2/mortal:11,18/mortal:7,17"
	chain     = `[{"type":"select_worker","value":"B3"},{"type":"move_worker","value":"A4"},{"type":"build","value":"A5"}]`
)

func best(start, next string, why player.Trigger, depth string) string {
	return `{"type":"best_move","start_state":"` + start + `","next_state":"` + next + `","trigger":"` + string(why) +
		`","meta":{"score":7,"calculated_depth":` + depth + `,"elapsed_seconds":0.1,"actions":` + chain + `}}`
}

func TestClientStopsOldEngines(t *testing.T) {
	s, conn := dialed(t, dialectAuto, game.Options{}, "noise", started, probed, "> ping", "pong",
		"> set_position "+santorinitest.StartText, best(santorinitest.StartText, otherNext, player.TriggerImprovement, "3"),
		"> stop", "> ping", best(santorinitest.StartText, nextText, player.TriggerStop, "5"), "pong")
	reply, err := gametest.Go(t.Context(), s, game.Ask{History: lineAt(t, santorinitest.StartText), Time: time.Second})
	if err != nil || reply.Move != nextText || reply.Depth != 5 || !reply.Known || reply.Score != 7 {
		t.Errorf("got %+v, %v", reply, err)
	}
	if diff := cmp.Diff([]string{"set_position " + santorinitest.StartText, "stop", "ping"}, conn.Sent[2:]); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
	if err := s.Sync(t.Context(), nil); err != nil || len(conn.Warnings()) != 0 {
		t.Errorf("fence: %v, warnings %v", err, conn.Warnings())
	}
}

func TestClientUsesFeatures(t *testing.T) {
	s, conn := dialed(t, dialectAuto, game.Options{Set: []game.Option{{Name: "hash", Value: "4"}}},
		`{"type":"started","features":["limits","new_game","v2"]}`, "> set_option hash 4", "> ping", "pong",
		"> new_game", "> ping", "pong",
		"> set_position "+santorinitest.StartText+" movetime 0.25 depth 9 nodes 1000 final", best(santorinitest.StartText, nextText, player.TriggerLimit, "4"))
	history := lineAt(t, santorinitest.StartText)
	if err := s.Seat(t.Context(), game.First, history); err != nil {
		t.Fatal(err)
	}
	reply, err := gametest.Go(t.Context(), s, game.Ask{History: history, Time: 250 * time.Millisecond, Depth: 9, Nodes: 1000})
	if err != nil || reply.Move != nextText {
		t.Errorf("got %+v, %v", reply, err)
	}
	if len(conn.Unmatched) != 0 {
		t.Errorf("sent lines that the script does not know: %q", conn.Unmatched)
	}
}

func TestClientRefusesOptions(t *testing.T) {
	opts := game.Options{Set: []game.Option{{Name: "hash", Value: "x"}}}
	if _, _, err := scripted(t, dialectV1, opts, started); err == nil || !strings.Contains(err.Error(), "no features") {
		t.Errorf("an engine without features took an option: %v", err)
	}
	_, _, err := scripted(t, dialectAuto, opts, `{"type":"started","features":["limits"]}`, "> set_option hash x", "> ping",
		`{"type":"error","message":"hash is odd","command":"set_option hash x"}`, "pong")
	var fault *game.Fault
	if err == nil || errors.As(err, &fault) || !strings.Contains(err.Error(), "hash is odd") {
		t.Errorf("the refusal became %v", err)
	}
}

func TestClientEndsEarly(t *testing.T) {
	for why, depth := range map[player.Trigger]string{player.TriggerEndOfLine: "2", player.TriggerImprovement: "6"} {
		s, conn := dialed(t, dialectV1, game.Options{}, started,
			"> set_position "+santorinitest.StartText, best(santorinitest.StartText, nextText, why, depth), "> stop", "> ping", "pong")
		reply, err := gametest.Go(t.Context(), s, game.Ask{History: lineAt(t, santorinitest.StartText), Depth: 6})
		if err != nil || reply.Move != nextText {
			t.Errorf("%s: got %+v, %v", why, reply, err)
		}
		if !slices.Contains(conn.Sent, "stop") {
			t.Errorf("%s: the engine was not stopped: %v", why, conn.Sent)
		}
	}
}

func TestClientIgnoresLate(t *testing.T) {
	const other = "0000000000000000000000000/1/mortal:0,1/mortal:7,17"
	s, conn := dialed(t, dialectV1, game.Options{}, started,
		"> set_position "+santorinitest.StartText, best(other, nextText, player.TriggerEndOfLine, "9"),
		best("0000000000000000000000000/1/mortal:D3,B3/mortal:C2,C4", nextText, player.TriggerEndOfLine, "4"))
	reply, err := gametest.Go(t.Context(), s, game.Ask{History: lineAt(t, santorinitest.StartText)})
	if err != nil || reply.Depth != 4 || len(conn.PassedLines()) != 1 {
		t.Errorf("got %+v, %v, passed over %q", reply, err, conn.PassedLines())
	}
}

func TestClientBlocked(t *testing.T) {
	s, conn := dialed(t, dialectV1, game.Options{}, started)
	history := lineAt(t, "0400004000440000000000000/1/mortal:0,5/mortal:23,24")
	reply, err := gametest.Go(t.Context(), s, game.Ask{History: history})
	if err != nil || len(conn.Sent) != 0 {
		t.Fatalf("sent %v, %v", conn.Sent, err)
	}
	next, err := history.Play(game.By(game.First, reply.Move))
	if err != nil {
		t.Fatal(err)
	}
	if out, over := next.Position.Outcome(); !over || out.Winner != game.Second || out.Reason != rules.NoLegalMove {
		t.Errorf("the pseudo-turn gives %+v", out)
	}
}

func TestClientRefusedPosition(t *testing.T) {
	s, _ := dialed(t, dialectV1, game.Options{}, started,
		"> set_position "+santorinitest.StartText, `{"type":"error","message":"what?","command":"set_position"}`)
	wantFault(t, s, game.FaultProtocol, "what?")
	s, _ = dialed(t, dialectV1, game.Options{}, started, "> ping", "pong")
	wantFault(t, s, game.FaultTimeout, "")
}

func wantFault(t *testing.T, s game.Session, kind game.FaultKind, detail string) {
	t.Helper()
	_, err := gametest.Go(t.Context(), s, game.Ask{History: lineAt(t, santorinitest.StartText), Time: time.Second})
	var fault *game.Fault
	if !errors.As(err, &fault) || fault.Kind != kind || !strings.Contains(fault.Detail, detail) {
		t.Errorf("got %v, want the fault %s with %q", err, kind, detail)
	}
}

func TestClientBadAnswers(t *testing.T) {
	for answer, detail := range map[string]string{
		`{"type":"best_move","start_state":"` + santorinitest.StartText + `","meta":{}}`: "without next_state",
		best(santorinitest.StartText, "nonsense", player.TriggerEndOfLine, "1"):          "nonsense",
	} {
		s, _ := dialed(t, dialectV1, game.Options{}, started, "> set_position "+santorinitest.StartText, answer)
		wantFault(t, s, game.FaultProtocol, detail)
	}
}

// An answer that cannot be read is a fault of the protocol where nothing else comes.
// Words that are no JSON are noise, and a readable answer counts whatever came before.
func TestClientUnreadableAnswers(t *testing.T) {
	const cut = `{"type":"best_move","start_state":`
	ask := "> set_position " + santorinitest.StartText
	for name, tt := range map[string]struct {
		said   []string
		kind   game.FaultKind
		detail string
	}{
		"alone":             {[]string{cut}, game.FaultProtocol, `"{\"type\":\"best_move\",\"start_state\":"`},
		"python's dict":     {[]string{`{'type': 'best_move'}`}, game.FaultProtocol, "not a JSON object"},
		"no type":           {[]string{`{"kind":"best_move"}`}, game.FaultProtocol, `no "type"`},
		"words":             {[]string{"I move to B2"}, game.FaultTimeout, ""},
		"about another one": {[]string{cut, best("0000000000000000000000000/2/mortal:11,13/mortal:7,17", santorinitest.StartText, player.TriggerEndOfLine, "1")}, game.FaultTimeout, ""},
	} {
		s, _ := dialed(t, dialectV1, game.Options{}, append([]string{started, ask}, tt.said...)...)
		t.Run(name, func(t *testing.T) { wantFault(t, s, tt.kind, tt.detail) })
	}
	_, _, err := scripted(t, dialectV1, game.Options{}, `{"type": started}`)
	var fault *game.Fault
	if !errors.As(err, &fault) || fault.Kind != game.FaultProtocol || !strings.Contains(fault.Detail, `{\"type\": started}`) {
		t.Errorf("an unreadable start: %v", err)
	}
}

// probed is what auto asks an engine that announces nothing.
const probed = "> next_moves 0020000200000000000000000/1/mortal:0,1/mortal:5,6"

// The answer to the probe shows the version; where there is none it is not known.
// Only v1 is slow at its first search.
func TestClientProbe(t *testing.T) {
	for answer, protocol := range map[string]string{
		`{"type":"next_moves","start_state":"0020000200000000000000000/1/mortal:0,1/mortal:5,6","next_states":[]}`:     "v1",
		`{"type":"next_moves","start_state":"0020000200000000000000000/1/mortal:A5,B5/mortal:A4,B4","next_states":[]}`: "v2",
		"what?": "",
	} {
		conn := playLines([]string{started, probed, answer, "> ping", "pong"})
		_, info, err := dialect{name: dialectAuto}.Dial(t.Context(), conn, game.Options{})
		if err != nil || info.Protocol != protocol || info.SlowFirst != (protocol == "v1") {
			t.Errorf("an engine that answers %s is taken for %+v (%v)", answer, info, err)
		}
	}
}

func TestFits(t *testing.T) {
	v1, _ := dialed(t, dialectV1, game.Options{}, started)
	v2, _ := dialed(t, dialectV2, game.Options{}, started)
	placing := lineAt(t, "0000000000000000000000000/1/mortal/mortal").Position
	if err := v1.Fits(placing); err == nil || !strings.Contains(err.Error(), "place") {
		t.Errorf("v1 and placement: %v", err)
	}
	if err := errors.Join(v2.Fits(placing), v1.Fits(lineAt(t, santorinitest.StartText).Position)); err != nil {
		t.Error(err)
	}
}

// An engine of v1 is asked with indices, one of v2 with the names of squares.
func TestForeignTextForBothVersions(t *testing.T) {
	p, err := foreign.Parse("0000000000000000000000000/1/hopper[2|C3]:13,11/mortal:C4,C2")
	if err != nil {
		t.Fatal(err)
	}
	for v2, want := range map[bool]string{false: "0000000000000000000000000/1/hopper[2|C3]:11,13/mortal:7,17", true: "0000000000000000000000000/1/hopper[2|C3]:B3,D3/mortal:C4,C2"} {
		s := &session{v2: v2}
		if got := s.question(p); got != want || !s.about([]byte(got), p) {
			t.Errorf("v2 %v: %s, want %s, which is about %s", v2, got, want, p)
		}
	}
}
