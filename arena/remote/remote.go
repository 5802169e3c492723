// Package remote lets workers on other machines play pairs of a run.
//
// The Host is part of the program that runs a tournament. A Worker is another process on any
// machine. It offers a service: the host calls it with a pair of games, and it answers with the
// games that it played. For each slot of a worker the host has a slot, which takes pairs from
// the run's list and calls the worker; see slot.go.
//
// Hosts and workers exchange JSON messages over NATS. KEY is the key of the run. It stays when
// the run is resumed, and differs for another plan, run, database or machine. NAME is a worker's
// name and START identifies one start of it.
//
//	thera.runs                     host → workers   notice: a run begins or has ended
//	thera.hello.NAME               worker → hosts   hello: a worker is there or leaves; sent after each notice, and while nobody calls; the host answers with a notice
//	thera.worker.NAME.START.join   host → worker    terms: a run and its plan; the worker answers when it can play, or why it cannot
//	thera.worker.NAME.START.play   host → worker    order: a pair of a run that the worker has joined; it answers with the games
//	thera.KEY.file.NAME            worker → host    piece: a part of an engine's file; the host answers with its content
//
// An answer may take long. Until then the worker answers every few seconds that it is busy, and
// the host asks again. So any request may be lost or repeated. The games of a pair are one
// message. What the engines said is left out if it does not fit.
//
// # No game is lost or counted twice
//
// Only one slot has a pair, and it accepts only the answer to its own call. A worker is gone if it
// does not answer for a while, or has a pair for far longer than others. Its pairs then go back
// to the run. It may come back at any time.
//
// A host that is killed loses all that is not in its database. Its workers go on. They keep the
// last pairs that they played until the host has been silent for two minutes, and name them in
// their hellos. A host that is started again first asks these workers for these pairs.
//
// # Verification
//
// match.Verify plays every game again before it is stored. If a game of a pair is false, the pair
// is reported with the worker's name and played again. A worker is expelled when two of its
// pairs, and one in twenty, were false or stalled. The host does not trust a worker's clock; it
// notes when a game came.
//
// Verification accepts legal moves of another program and crashes that did not happen. So a share
// of the pairs is audited; see audit.go.
//
// # Bounds
//
// The function may returns the subjects of a worker. It receives no messages to others and cannot
// send in their name. It can answer only a call: NATS lets it send one message to the subject for
// the answer. The Guard bounds how much it sends. A pair of games has at most 4 MiB. At most
// 256 MiB of answers wait to be verified; the host asks for the others again.
//
// The package does not use nats.go/micro, which has services of this kind. Its discovery needs
// nine subscriptions of each worker to shared subjects, where one to a subject with the worker's
// name is enough, and it answers the requests to a subject one after another.
//
// The package knows no game and no engine. The caller finds on a worker's machine what a plan
// needs. The package stores nothing, and reports events as remarks.
package remote

import (
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
)

// version is the version of the messages. A host refuses workers with another one.
const version = 7

const (
	helloEvery = 5 * time.Second
	silence    = 20 * time.Second // after which a worker is gone
	patience   = 2 * time.Minute  // for which a worker keeps the games of a silent host
	mostKept   = 4                // pairs that a worker has for each slot, including those that it plays
)

const runsSubject = "thera.runs"

func helloSubject(name string) string { return "thera.hello." + name }

func fileSubject(key, name string) string { return "thera." + key + ".file." + name }

func callSubject(name, start, what string) string {
	return "thera.worker." + name + "." + start + "." + what
}

// lastWord returns the last word of a subject: the kind of call, or the name of the worker that
// asks.
func lastWord(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// notice says that a run is being played or has ended.
type notice struct {
	Key     string `json:"key"`
	Name    string `json:"name"`
	Over    bool   `json:"over,omitempty"`
	Refused string `json:"refused,omitempty"` // why the worker that receives it may not play the run
}

// hello is what a worker says about itself.
type hello struct {
	Version int      `json:"version"`
	Start   string   `json:"start"` // of this worker
	Slots   int      `json:"slots"`
	Sandbox string   `json:"sandbox,omitempty"`
	Pairs   []string `json:"pairs,omitempty"` // that it plays or has kept, by their first games
	Gone    bool     `json:"gone,omitempty"`
}

// terms are what a worker needs to play a run. They include the values of env, which engines
// need.
type terms struct {
	Key     string             `json:"key"`
	Every   time.Duration      `json:"every"` // how often the host asks, and the worker says hello
	Info    arena.RunInfo      `json:"info"`
	Engines []arena.EngineSpec `json:"engines"`
	Ship    bool               `json:"ship,omitempty"` // the host ships them
}

// order tells a worker to play a pair.
type order struct {
	Key  string      `json:"key"`
	Call string      `json:"call"` // the same when it is asked again
	Pair string      `json:"pair"` // its first game
	Kept bool        `json:"kept"` // the worker may have played it before
	Jobs []arena.Job `json:"jobs"`
}

// headerState is the header of answers other than the one that was asked for.
const headerState = "Thera-State"

// The states of such answers.
const (
	stateStill  = "still"  // the worker is still busy
	stateFailed = "failed" // it failed; the data says why
)

// respond answers a call.
func respond(c Conn, msg *nats.Msg, state string, data []byte) {
	answer := nats.NewMsg(msg.Reply)
	answer.Data = data
	if state != "" {
		answer.Header.Set(headerState, state)
	}
	_ = c.PublishMsg(answer) // if it is lost, the host asks again
}

// may returns the subjects to which a worker may publish, beside answers to calls, and those to
// which it may subscribe. A server with keys enforces them.
func may(name string) (publish, subscribe []string) {
	publish = []string{helloSubject(name), fileSubject("*", name)}
	return publish, []string{runsSubject, callSubject(name, "*", "*"), Inbox(name) + ".>"}
}

// Inbox returns the prefix of the subjects to which a worker gets answers.
func Inbox(name string) string { return "_INBOX_" + name }

// mayReply reports whether the answer to msg goes to the worker that asked. A worker could name
// another subject, to which the host may publish but the worker may not.
func mayReply(msg *nats.Msg) bool {
	return strings.HasPrefix(msg.Reply, Inbox(lastWord(msg.Subject))+".")
}

// CheckName returns an error if a name of a worker cannot be part of a subject.
func CheckName(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	if name == "" || len(name) > 60 || strings.Trim(name, letters) != "" {
		return fmt.Errorf("%q cannot be the name of a worker: expected up to 60 letters, digits, - and _", name)
	}
	return nil
}
