// Package tcp lets bots play that speak FlatBuffers over TCP, as those of the PyRat project do
// since 2026. An adapter is the host of one bot for one game: it starts the bot, and speaks the
// text protocol for it on its own stdin and stdout.
package tcp

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/protocol"
	pyrat "thera/engine/pyrat/protocol"
	"thera/engine/pyrat/rules"
	"thera/engine/serve"
)

// faultWord begins the line by which an adapter says what its bot did wrong.
const faultWord = "fault"

// adapter speaks for one bot. Its fields belong to one goroutine.
type adapter struct {
	out     *serve.Output
	bot     io.Writer // nil before the bot has connected
	view    pyrat.View
	options []game.Option
	seat    int    // that the bot was told, -1 before
	hash    uint64 // of the bot's position, as the bot counts it

	steps   []step // what is left to do, in order
	awaited []kind // the answers for one of which they wait, nil for none

	asked     *question
	preparing bool // preprocessingdone is owed
	over      bool // the bot was told that the game is over
	after     bool // postprocessingdone is owed
}

// step is a thing to do once the bot has answered what came before.
type step struct {
	do      func()
	answers []kind // that the bot gives to it, one of them
}

// question is a go that has no move yet.
type question struct {
	turn    int
	sent    bool // the bot knows it
	stopped bool // a provisional move counts
	late    bool // its move will not be used
	best    int  // the bot's last provisional move, -1 for none
}

// heard is what a bot said on its connection, or why it says no more.
type heard struct {
	message
	bot io.Writer
	err error
}

// run speaks between the text lines of in and out and a bot, which connects at some time, and
// ends with the first of them. The error is what the bot did wrong.
func run(in io.Reader, out io.Writer, connect func() (io.ReadWriter, message)) error {
	a := &adapter{out: serve.NewOutput(out), seat: -1, view: pyrat.View{Seat: -1}, awaited: []kind{identify}}
	done := make(chan struct{})
	defer close(done)
	lines, messages := make(chan string), make(chan heard)
	go func() {
		defer close(lines)
		_ = protocol.Lines(in, func(line []byte) bool {
			select {
			case lines <- string(line):
				return true
			case <-done:
				return false
			}
		})
	}()
	go func() {
		bot, hello := connect()
		for h := (heard{message: hello, bot: bot}); ; {
			select {
			case messages <- h:
			case <-done:
				return
			}
			if h.err != nil {
				return
			}
			var payload []byte
			if payload, h.err = readFrame(bot); h.err == nil {
				h.message, h.err = decode(payload)
			}
		}
	}()
	for a.out.Err() == nil {
		a.proceed()
		select {
		case line, ok := <-lines:
			if !ok || !a.command(line) {
				return nil
			}
		case h := <-messages:
			if a.bot = h.bot; h.err != nil {
				return a.ended(h.err)
			}
			a.hear(h.message)
		}
	}
	return a.out.Err()
}

// ended is for a bot that says no more.
func (a *adapter) ended(err error) error {
	if a.after {
		a.out.Printf("postprocessingdone")
	}
	var fault *game.Fault
	if errors.As(err, &fault) && !a.over {
		a.out.Printf("%s %s", faultWord, fault.Detail)
		return fault
	}
	return nil
}

// then adds a step.
func (a *adapter) then(do func(), answers ...kind) {
	a.steps = append(a.steps, step{do, answers})
}

// proceed does what can be done without an answer of the bot.
func (a *adapter) proceed() {
	for a.awaited == nil && len(a.steps) > 0 {
		next := a.steps[0]
		a.steps, a.awaited = a.steps[1:], next.answers
		next.do()
	}
}

// send sends a message. Where the bot does not read any more, what it says ends.
func (a *adapter) send(payload []byte) {
	if a.bot != nil {
		_, _ = a.bot.Write(frame(payload))
	}
}

// say is a step that sends a message.
func (a *adapter) say(payload []byte, answers ...kind) {
	a.then(func() { a.send(payload) }, answers...)
}

func (a *adapter) reply(line string) func() {
	return func() { a.out.Printf("%s", line) }
}

// command obeys a line of the text protocol, until one ends the game's process. Unknown
// and ill-timed ones are ignored. What needs the bot's answers waits for them.
func (a *adapter) command(line string) (goOn bool) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return true
	}
	switch word, args := words[0], words[1:]; word {
	case "isready":
		a.then(a.reply("readyok"))
	case "ready?":
		a.then(a.reply("ready"))
	case "setoption":
		name, value, _ := strings.Cut(strings.TrimPrefix(strings.Join(args, " "), "name "), " value ")
		a.options = append(a.options, game.Option{Name: name, Value: value})
	case "newgame":
		a.view.Begin(false)
	case "startpreprocessing":
		if a.view.Open() {
			a.preparing = true
			a.settle()
			a.then(a.prepared)
		}
	case "moves":
		a.settle()
		a.moved(args)
	case "go":
		a.settle()
		a.ask(args)
	case "stop":
		a.stop()
	case "timeout":
		a.timeout(strings.Join(args, " "))
	case "gameover":
		a.gameOver(args)
	case "startpostprocessing":
		a.after = a.over
	case "quit":
		return false
	case "pyrat": // it is answered when the bot has identified itself
	default:
		_ = a.view.Describe(line)
	}
	return true
}

// settle tells the bot the game that was described, if one was: as the game that it is for, or as
// another position of it.
func (a *adapter) settle() {
	if !a.view.Open() {
		return
	}
	if a.view.Settle() != nil || a.view.Seat < 0 || a.seat >= 0 && a.seat != a.view.Seat {
		a.view.Forget()
		return
	}
	prepares := a.view.Preprocessing - min(a.view.Preprocessing/8, onTheWay)
	p, t := a.view.Game, times{milliseconds(a.view.Move), milliseconds(prepares)}
	s := p.State()
	fresh := s.Turn == 0 && s.Score == [2]rules.Points{} && s.Timer == [2]int16{}
	if a.seat < 0 {
		a.seat = a.view.Seat
		a.say(hostMessage(welcome, values(uint8(a.seat))))
		a.then(func() { a.send(configured(p, t, a.options)) }, ready)
		a.then(func() {
			a.send(hostMessage(goPreprocess, values(a.hash)))
			if !a.preparing { // its time is over
				a.send(hostMessage(stop, values()))
			}
		}, preprocessingDone)
	} else {
		fresh = false
	}
	if !fresh {
		a.say(state(p, t), syncOK)
	}
}

func milliseconds(d time.Duration) uint32 { return uint32(d.Milliseconds()) }

// onTheWay is of the time for preprocessing what the bot does not get: it counts from when it has its
// maze, and may use all.
const onTheWay = 50 * time.Millisecond

// prepared answers startpreprocessing, unless its time is over.
func (a *adapter) prepared() {
	if a.preparing {
		a.preparing = false
		a.out.Printf("preprocessingdone")
	}
}

// moved tells the bot a turn. The host of a bot knows the hash of the new position, which depends
// on the bot's own tables. Here the bot is told another one, and says its own, be it with
// syncOK or with resync.
func (a *adapter) moved(args []string) {
	turn, played, err := a.view.Moved(args)
	if err != nil || !played || a.seat < 0 {
		return
	}
	number := uint16(a.view.Game.State().Turn)
	a.then(func() {
		a.send(hostMessage(advance, values(wire(turn[0]), wire(turn[1]), number, ^a.hash)))
	}, syncOK, resync)
}

// ask asks the bot for a move, within the time of "move:N", or that of all moves.
func (a *adapter) ask(args []string) {
	a.view.Asked()
	p := a.view.Game
	if p == nil || a.seat < 0 || p.ToMove() == 0 {
		a.out.Printf("move %s", rules.Stay)
		return
	}
	q := &question{turn: int(p.State().Turn), best: -1}
	a.asked = q
	move := milliseconds(a.view.Move)
	if text, ok := strings.CutPrefix(strings.Join(args, " "), "move:"); ok {
		if n, err := strconv.ParseUint(text, 10, 31); err == nil {
			move = uint32(n)
		}
	}
	a.then(func() {
		if q.late || a.asked != q {
			return
		}
		q.sent = true
		if q.stopped {
			move = 1
		}
		a.send(hostMessage(goThink, func(w writer) []any { return []any{a.hash, w.table(move)} }))
		if q.stopped {
			a.send(hostMessage(stop, values()))
		}
	})
}

// answer sends the move for the last go.
func (a *adapter) answer(move int) {
	a.asked = nil
	a.out.Printf("move %s", direction(move))
}

// stop ends the bot's search. Its last provisional move counts. Without one the next that it
// says is waited for, unless it is late already.
func (a *adapter) stop() {
	q := a.asked
	if q == nil {
		return
	}
	a.halt()
	switch {
	case q.best >= 0:
		a.answer(q.best)
	case q.late:
		a.answer(int(wire(rules.Stay)))
	}
}

// halt tells the bot that its time is over.
func (a *adapter) halt() {
	if q := a.asked; q.sent && !q.stopped {
		a.send(hostMessage(stop, values()))
	}
	a.asked.stopped = true
}

// timeout takes "move:STAY" and "preprocessing".
func (a *adapter) timeout(what string) {
	switch q := a.asked; {
	case what == "preprocessing" && a.preparing:
		a.preparing = false
		if slices.Contains(a.awaited, preprocessingDone) {
			a.send(hostMessage(stop, values()))
		}
	case strings.HasPrefix(what, "move:") && q != nil:
		a.halt()
		q.late = true
	}
}

// gameOver takes "winner:W" and the score, which is that of the position.
func (a *adapter) gameOver(args []string) {
	p := a.view.Game
	a.steps, a.asked, a.preparing = nil, nil, false
	a.view.Forget()
	if a.seat < 0 || a.over || p == nil || len(args) == 0 {
		return
	}
	a.over = true
	const draw = 2
	winner := slices.Index(rules.Players[:], strings.TrimPrefix(args[0], "winner:"))
	if winner < 0 {
		winner = draw
	}
	score := p.State().Score
	a.send(hostMessage(gameOver, values(uint8(winner), points(score[0]), points(score[1]))))
}
