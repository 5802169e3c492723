package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"thera/arena"
	"thera/arena/config"
)

// Worker plays games of any number of runs.
type Worker struct {
	Conn    *nats.Conn
	Name    string
	Slots   int
	Speed   float64 // its reference speed
	Sandbox string  // what it holds

	// Prepare finds what a run needs on this machine. The error says what is
	// missing or differs.
	Prepare func(info *arena.RunInfo, engines []arena.EngineSpec) (*Prepared, error)

	// Accept takes files of engines that the host ships, before Prepare; nil: nothing is
	// accepted.
	Accept func(files []config.ShippedFile, fetch func(f config.ShippedFile, to io.Writer) error) error

	// Say shows what happens.
	Say func(text string)

	session string
	answer  time.Duration // for which it waits for one
	slots   chan int      // those that are free

	mu   sync.Mutex
	runs map[string]*serving // by key
}

// Prepared is a run that this machine can play.
type Prepared struct {
	Plan   *arena.Plan
	Worker func(slot int) arena.Worker
}

// Run serves runs until ctx ends. Leases that it has then go back.
func (w *Worker) Run(ctx context.Context) error {
	if err := CheckName(w.Name); err != nil {
		return err
	}
	w.session, w.runs, w.answer = nuid.Next(), map[string]*serving{}, cmp.Or(w.answer, answerWait)
	w.slots = make(chan int, w.Slots)
	for slot := range w.Slots {
		w.slots <- slot
	}
	var all sync.WaitGroup
	defer all.Wait()
	answers := w.Conn.NewInbox()
	for _, subject := range []string{runsSubject, answers} {
		sub, err := w.Conn.Subscribe(subject, func(msg *nats.Msg) {
			var n notice
			if json.Unmarshal(msg.Data, &n) == nil && n.Key != "" {
				w.notice(ctx, &all, n)
			}
		})
		if err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		defer end(sub)
	}
	tick := time.NewTicker(joinEvery)
	defer tick.Stop()
	for {
		if !w.plays() { // what else there is is announced
			_ = w.Conn.PublishRequest(helloSubject, answers, nil) // it is repeated
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

func (w *Worker) plays() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.runs) > 0
}

// notice begins to serve a run, or ends that.
func (w *Worker) notice(ctx context.Context, all *sync.WaitGroup, n notice) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.runs[n.Key]
	switch {
	case s != nil:
		s.notice(n)
		if s.over {
			delete(w.runs, n.Key)
		}
		return
	case n.Over || ctx.Err() != nil:
		return
	case n.Version != version:
		w.Say(fmt.Sprintf("%s is played by another version of thera (its messages have version %d, those here %d)", n.Name, n.Version, version))
	}
	s = &serving{Worker: w, key: n.Key, name: n.Name, heard: time.Now(), session: n.Session}
	s.ctx, s.cancel = context.WithCancel(ctx)
	w.runs[n.Key] = s
	if n.Version != version {
		return // said once
	}
	all.Go(func() {
		s.serve()
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.runs[n.Key] == s && !s.refused {
			delete(w.runs, n.Key)
		}
	})
}
