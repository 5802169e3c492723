// Package remote lets workers on other machines play pairs of a run.
//
// The Host is part of the program that runs a tournament, a Worker is another process on any
// machine. A worker says who it is, and offers a service: it is called with a pair of games
// and answers with what was played. For each slot of a worker the host has a slot which takes
// pairs from the run's list and calls the worker, see slot.go.
//
// All of it is messages and requests over NATS, in JSON. KEY is that of the run: the same
// when the run is resumed, and another one for another plan, run, database or machine. NAME is a
// worker's name and START one start of it.
//
//	thera.runs                     host → workers   notice: a run that begins, or has ended
//	thera.hello.NAME               worker → hosts   hello: who is there, or goes. After each notice, and while nobody calls it; the answer of a host is a notice
//	thera.worker.NAME.START.join   host → worker    terms: a run and its plan; it answers when it can play, or why it cannot
//	thera.worker.NAME.START.play   host → worker    order: a pair of a run that it has joined; it answers with the games
//	thera.KEY.file.NAME            worker → host    piece: a part of an engine's file that is shipped; the answer is its content
//
// An answer may take long. Until there is one, the worker says every few seconds that it is
// still at it, and is asked again: so requests may be lost, and repeated, at any time. The games
// of a pair are one message; what engines said is left out where it does not fit.
//
// # Nothing lost, nothing doubled
//
// One slot has a pair, and only the answer to its call is taken. A worker that does not answer
// for a while, or is at a pair for far longer than others, is gone: its pairs go back to the
// run. It may come back at any time.
//
// What the host knows beside its database is lost when it is killed. A worker goes on and keeps
// the last pairs that it has played until its host was silent for two minutes. Its hello names
// them: a host that was started again asks this worker for them before anybody else.
//
// # Verification
//
// match.Verify plays every game again before it is stored. A pair with a false game is reported
// with the worker's name and played again. A worker is expelled when two of its pairs, and one
// in twenty, were false or stalled: a local run ends then. A worker's clock means nothing: the
// host notes when a game came.
//
// The moves of another program are legal, and an engine may crash: so a share of the pairs is
// audited, see audit.go.
//
// # Bounds
//
// may are the subjects of a worker: it hears nobody else and cannot speak as another one. It
// answers only who has called it: NATS lets it send one message to where that is to go. The
// Guard bounds how much it sends. A pair of games has at most 4 MiB, and 256 MiB of answers wait
// to be verified: others are asked again.
//
// The package does without nats.go/micro, whose services have this shape: its discovery
// needs nine subscriptions of each worker to subjects that all share, where one bound to the
// worker's name does, and it answers the requests at a subject one after another.
//
// The package knows no game and no engine: the caller finds what a plan needs on a worker's
// machine. It stores nothing, and shows what happens as remarks.
package remote

import (
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
)

// version is that of the messages. A host refuses workers that speak another one.
const version = 7

const (
	helloEvery = 5 * time.Second
	silence    = 20 * time.Second // after which a worker is gone
	patience   = 2 * time.Minute  // for which a worker keeps games of a host that is silent
	mostKept   = 4                // for each slot: pairs that a worker has, those that it plays too
)

const runsSubject = "thera.runs"

func helloSubject(name string) string { return "thera.hello." + name }

func fileSubject(key, name string) string { return "thera." + key + ".file." + name }

func callSubject(name, start, what string) string {
	return "thera.worker." + name + "." + start + "." + what
}

// lastWord is that of a subject: what is asked, or the name of the worker that asks.
func lastWord(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// notice is a run that is played.
type notice struct {
	Key     string `json:"key"`
	Name    string `json:"name"`
	Over    bool   `json:"over,omitempty"`
	Refused string `json:"refused,omitempty"` // why the worker that hears it does not play the run
}

// hello is what a worker says about itself.
type hello struct {
	Version int      `json:"version"`
	Start   string   `json:"start"` // of this worker
	Slots   int      `json:"slots"`
	Sandbox string   `json:"sandbox,omitempty"`
	Pairs   []string `json:"pairs,omitempty"` // that it plays or has played, by their first games
	Gone    bool     `json:"gone,omitempty"`
}

// terms are what a worker needs to play a run. Values of env are in them: an engine needs
// them.
type terms struct {
	Key     string             `json:"key"`
	Every   time.Duration      `json:"every"` // so often it is asked, and says hello
	Info    arena.RunInfo      `json:"info"`
	Engines []arena.EngineSpec `json:"engines"`
	Ship    bool               `json:"ship,omitempty"` // the host ships them
}

// order is a pair that a worker is to play.
type order struct {
	Key  string      `json:"key"`
	Call string      `json:"call"` // the same when it is asked again
	Pair string      `json:"pair"` // its first game
	Kept bool        `json:"kept"` // the worker may have played it before
	Jobs []arena.Job `json:"jobs"`
}

// headerState is the header of answers that are not what was asked.
const headerState = "Thera-State"

// The states of such answers.
const (
	stateStill  = "still"  // it is at it
	stateFailed = "failed" // it cannot be done; the data says why
)

// respond answers a call.
func respond(c Conn, msg *nats.Msg, state string, data []byte) {
	answer := nats.NewMsg(msg.Reply)
	answer.Data = data
	if state != "" {
		answer.Header.Set(headerState, state)
	}
	_ = c.PublishMsg(answer) // or it is asked again
}

// may are the subjects that a worker may publish and those that it may subscribe, where
// the server knows it, beside answers to those who ask it.
func may(name string) (publish, subscribe []string) {
	publish = []string{helloSubject(name), fileSubject("*", name)}
	return publish, []string{runsSubject, callSubject(name, "*", "*"), Inbox(name) + ".>"}
}

// Inbox is the prefix of the subjects at which a worker gets answers.
func Inbox(name string) string { return "_INBOX_" + name }

// mayReply reports whether an answer goes to the worker that has asked: the host may publish what
// a worker must not.
func mayReply(msg *nats.Msg) bool {
	return strings.HasPrefix(msg.Reply, Inbox(lastWord(msg.Subject))+".")
}

// CheckName refuses names of workers that cannot be part of a subject.
func CheckName(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	if name == "" || len(name) > 60 || strings.Trim(name, letters) != "" {
		return fmt.Errorf("%q cannot be the name of a worker: expected up to 60 letters, digits, - and _", name)
	}
	return nil
}
