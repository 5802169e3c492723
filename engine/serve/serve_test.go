package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

func TestOutputWritesWholeLines(t *testing.T) {
	var buf bytes.Buffer
	out := NewOutput(&buf)
	out.Line([]byte("a"))
	out.Printf("b %d", 1)
	if buf.String() != "a\nb 1\n" {
		t.Errorf("got %q", buf.String())
	}
	r, w := io.Pipe()
	r.Close()
	out = NewOutput(w)
	out.Line([]byte("nobody listens"))
	if !errors.Is(out.Err(), io.ErrClosedPipe) {
		t.Errorf("err = %v", out.Err())
	}
}

func TestThinkerRunsOneAtATime(t *testing.T) {
	var th Thinker
	th.Stop()
	running := make(chan int, 4)
	ended := make(chan int, 4)
	think := func(id int) func(context.Context) {
		return func(ctx context.Context) {
			running <- id
			<-ctx.Done()
			ended <- id
		}
	}
	th.Start(context.Background(), think(1))
	if <-running != 1 || !th.Busy() {
		t.Fatal("the first computation does not run")
	}
	th.Start(context.Background(), think(2))
	if id := <-ended; id != 1 {
		t.Errorf("computation %d ended first", id)
	}
	<-running
	th.Stop()
	if th.Busy() {
		t.Error("busy after Stop")
	}
	if id := <-ended; id != 2 {
		t.Errorf("computation %d ended", id)
	}
}
