// Package remote lets workers on other machines play the games of a run.
//
// The Host is part of the program that runs a tournament, a Worker is another process on any machine. The queue is that of
// package jet; all between host and workers is requests and answers over the same NATS
// server, in JSON. KEY is that of the run: the same when the run is resumed, and
// another one for another run, database or machine. NAME is a worker's name.
//
//	thera.hello            worker → hosts   which runs are there? Each host answers with a Notice
//	thera.runs             host → workers   Notice: a run that is played, or that is over
//	thera.KEY.join.NAME    worker → host    Hello; the answer is Terms. Repeated while the worker serves the run
//	thera.KEY.take.NAME    worker → host    wanted; the answer is a deal: a lease, or none
//	thera.KEY.back.NAME    worker → host    back: a lease that is not played to its end
//	thera.KEY.file.NAME    worker → host    piece: a part of an engine's file that is shipped; the answer is its content
//	thera.KEY.leave.NAME   worker → host    Leave: the worker serves the run no longer, and why
//	thera.KEY.games.NAME   worker → host    the games of a lease; the answer is a Receipt
//
// # Leases
//
// Only the host uses JetStream. It takes leases from the queue for workers that ask,
// at most two for each slot of a worker, and knows who has which. It gives a lease back
// when its worker says so, leaves, is expelled, is not heard any more, or does not name the
// lease when it joins again. Workers that took leases from JetStream themselves could not be kept
// apart: whoever may ask for a message can have it, or the answer to an acknowledgement,
// delivered to any subject, and all who share a consumer acknowledge each other's messages.
// For the same reason a host answers only at inboxes. May are the subjects of a worker.
//
// # Exactly once in effect
//
// A worker hands in the games of a lease and repeats that until it has a receipt. The host
// acknowledges the lease when its games are durable. What a
// host knows is lost when it is killed, and so are the leases; a worker then joins the
// same KEY again and hands in what it still has. The identity of a job decides: a
// game whose job is open is stored, any other is a double and dropped. A double that
// differs from the stored game, where games repeat, is reported.
//
// # Verification
//
// match.Verify plays every game again before it is stored. A refused game is reported
// with the worker's name, and its lease is played again. After three of them the worker
// is expelled from the run, and also if over 5 % of its pairs, and at least two, are void
// because its machine stalled: a local run ends then. A worker's clock means nothing: the
// host notes when a game came.
//
// The moves of another program are legal: so a share of the pairs is audited, see audit.go.
//
// # Bounds
//
// What is stored of a worker's words is text of bounded length: bounds.go has the numbers.
//
// The games of a lease are compressed, sent in parts that fit into a message, and at most
// 64 MiB when they are unpacked. A host verifies the games of 64 leases at a time, has 256 of them stored, and keeps the parts
// of at most 256, and 256 MiB of them; others wait and are sent again.
//
// The package knows no game and no engine: what a plan needs on a worker's machine is
// the caller's to find. It stores nothing, and shows what happens as remarks.
package remote

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/config"
)

// version is that of the messages. Machines that speak another one do not understand
// each other.
const version = 3

const (
	announceEvery = 2 * time.Second
	announceEach  = 2500 * time.Microsecond // for each worker that hears it, if that is longer
	joinEvery     = 5 * time.Second
	silence       = 20 * time.Second // after which a worker is gone
	patience      = 2 * time.Minute  // for which a worker keeps games of a host that is silent
	answerWait    = 5 * time.Second  // then a request is repeated
	comeBack      = time.Second      // after which a worker that has left is taken again
	mostRefused   = 3
	mostVerified  = 64  // leases whose games are read and played again at a time
	mostStored    = 256 // ... and those that wait to be durable
)

const (
	helloSubject = "thera.hello"
	runsSubject  = "thera.runs"
)

func subject(key, what, name string) string { return "thera." + key + "." + what + "." + name }

// notice is a run that is played.
type notice struct {
	Version int    `json:"version"`
	Key     string `json:"key"`
	Session string `json:"session"` // of this start of the host
	Name    string `json:"name"`
	Over    bool   `json:"over,omitempty"`
}

// hello is what a worker says about itself.
type hello struct {
	Version int     `json:"version"`
	Worker  string  `json:"worker"`
	Session string  `json:"session"` // of this start of the worker
	Slots   int     `json:"slots"`
	Speed   float64 `json:"speed"`
	Sandbox string  `json:"sandbox,omitempty"`

	Joined bool     `json:"joined,omitempty"` // it has the terms, and still plays
	Leases []string `json:"leases,omitempty"` // that it has
}

// terms are what a worker needs to play a run, or why it may not.
type terms struct {
	Refused string        `json:"refused,omitempty"`
	Later   bool          `json:"later,omitempty"` // it may be otherwise in a while
	Wait    time.Duration `json:"wait"`            // of the queue
	Plan    *plan         `json:"plan,omitempty"`
}

// plan is an arena.Plan on its way to a worker. Values of env are in it: an engine
// needs them.
type plan struct {
	Info    arena.RunInfo      `json:"info"`
	Engines []arena.EngineSpec `json:"engines"`

	Files []config.ShippedFile `json:"files,omitempty"` // of engines, that the host ships
}

// leave is why a worker serves a run no longer.
type leave struct {
	Reason string `json:"reason,omitempty"` // "": it ended
}

// receipt is the answer to games that were handed in.
type receipt struct {
	Stored  bool   `json:"stored,omitempty"`  // they are durable, or doubles
	More    bool   `json:"more,omitempty"`    // the part has come
	Unknown bool   `json:"unknown,omitempty"` // the host does not know the worker: it must join
	Refused string `json:"refused,omitempty"` // they are false: why
	Out     bool   `json:"out,omitempty"`     // the worker is expelled from the run
	Error   string `json:"error,omitempty"`   // the host could not store them
}

// May are the subjects that a worker may publish and those that it may subscribe, where
// the server knows it.
func May(name string) (publish, subscribe []string) {
	publish = []string{helloSubject}
	for _, what := range []string{"join", "leave", "take", "back", "games", "file"} {
		publish = append(publish, subject("*", what, name))
	}
	return publish, []string{runsSubject, Inbox(name) + ".>"}
}

// Inbox is the prefix of the subjects at which a worker gets answers.
func Inbox(name string) string { return "_INBOX_" + name }

// CheckName refuses names of workers that cannot be part of a subject.
func CheckName(name string) error {
	ok := name != "" && len(name) <= 60 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
	if !ok {
		return fmt.Errorf("%q cannot be the name of a worker: expected up to 60 letters, digits, - and _", name)
	}
	return nil
}

// encode is for messages that always can be written.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("remote: %T cannot be written: %v", v, err)) // plain data only
	}
	return text
}
