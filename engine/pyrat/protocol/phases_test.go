package protocol

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
)

// An AI that exceeds the time of preprocessing or postprocessing is not waited
// for and not punished.
func TestPhasesEnd(t *testing.T) { synctest.Test(t, testPhasesEnd) }

func testPhasesEnd(t *testing.T) {
	var sent []string
	silent := gameServer(func(line string, say func(string)) {
		sent = append(sent, line)
		if line == "pyrat" {
			say("pyratready")
		}
	})
	conn := gametest.Join(t, silent)
	dialled, info, err := Dialect{}.Dial(t.Context(), conn, game.Options{Rules: mustParse(t, small)})
	if err != nil || info.Preparation != 3*time.Second || info.Afterwards != time.Second {
		t.Fatalf("%v, default limits %v, %v", err, info.Preparation, info.Afterwards)
	}
	s := dialled.(*session)
	history := game.Begin(mustParse(t, small))
	conn.Arm(10*time.Millisecond, time.Minute)
	if err := s.Seat(t.Context(), game.First, history); err != nil {
		t.Fatal(err)
	}
	conn.Arm(10*time.Millisecond, time.Minute)
	if err := s.End(t.Context(), history, game.Outcome{Reason: "adjudicated"}); err != nil {
		t.Fatal(err)
	}
	_ = conn.Flush()
	conn.Arm(time.Minute, time.Minute)
	_ = s.Say("isready")
	_, _ = conn.Recv(t.Context()) // the fence: all was read
	got := strings.Join(sent, "\n")
	for _, want := range []string{"startpreprocessing\ntimeout preprocessing\n", "gameover winner:draw score:0-0\nstartpostprocessing\ntimeout postprocessing\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// gameServer is an AI that answers nothing but isready.
func gameServer(answer func(line string, say func(string))) gametest.Server { return manners{answer} }

type manners struct {
	answer func(line string, say func(string))
}

func (m manners) Serve(_ context.Context, _ []string, in io.Reader, out, _ io.Writer) error {
	say := func(line string) { _, _ = io.WriteString(out, line+"\n") }
	scan := bufio.NewScanner(in)
	for scan.Scan() {
		if m.answer(scan.Text(), say); scan.Text() == "isready" {
			say("readyok")
		}
	}
	return nil
}
