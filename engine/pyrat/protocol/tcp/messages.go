package tcp

import (
	"fmt"
	"strconv"
	"strings"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/pyrat/rules"
)

// kind is the type of a message in its union.
type kind uint8

// The messages of a bot.
const (
	identify kind = iota + 1
	ready
	preprocessingDone
	action
	info
	renderCommands
	provisional
	syncOK
	resync
)

// message is one of a bot. Fields that its kind does not have are zero.
type message struct {
	kind   kind
	hash   uint64 // of the position that it is about
	turn   int
	player int
	move   int    // a number of a direction, which may be none
	text   string // of an info: the words after info

	name, author, agent string // of identify
	options             []protocol.ListedOption
}

// directions are the moves as the protocol counts them.
var directions = [rules.NumMoves]rules.Move{rules.Up, rules.Right, rules.Down, rules.Left, rules.Stay}

// The bounds of lists from outside.
const (
	maxOptions = 200
	maxChoices = 200
	maxLine    = 100 // moves of a line of play
)

// decode reads a message of a bot. A kind that is not known has no other fields. The error is a
// *game.Fault.
func decode(payload []byte) (message, error) {
	b := &buffer{bytes: payload}
	packet := b.root()
	m := message{kind: kind(packet.number(0, 1))}
	t := packet.table(1)
	if m.kind != 0 && t.in == nil {
		b.take(-1, 0, "no message")
	}
	switch m.kind {
	case identify:
		m.name, m.author, m.agent = t.text(0), t.text(1), t.text(3)
		t.each(2, maxOptions, func(at int) { m.options = append(m.options, option(b.table(at, "an option"))) })
	case ready, syncOK, resync:
		m.hash = t.number(0, 8)
	case action:
		m.tagged(t, 1, 2, 4)
		m.move = int(t.number(0, 1))
	case provisional:
		m.tagged(t, 1, 2, 3)
		m.move = int(t.number(0, 1))
	case info:
		m.tagged(t, 0, 8, 9)
		m.text = words(t)
	}
	if b.bad != "" {
		return message{}, game.Protocolf("a message of %d bytes is no FlatBuffer: %s is not in it", len(payload), b.bad)
	}
	return m, nil
}

// tagged reads what most messages of a turn have.
func (m *message) tagged(t table, player, turn, hash int) {
	m.player, m.turn, m.hash = int(t.number(player, 1)), int(t.number(turn, 2)), t.number(hash, 8)
}

// optionKinds are the kinds of options as the protocol counts them.
var optionKinds = [...]protocol.OptionKind{protocol.Check, protocol.Spin, protocol.Combo, protocol.Text, protocol.Button}

// option reads an OptionDef. One of no known kind has none.
func option(t table) protocol.ListedOption {
	o := protocol.ListedOption{Name: t.text(0), Default: t.text(2)}
	if n := int(t.number(1, 1)); n < len(optionKinds) {
		o.Kind = optionKinds[n]
	}
	switch o.Kind {
	case protocol.Spin:
		o.Bounded, o.Min, o.Max = true, int64(int32(t.number(3, 4))), int64(int32(t.number(4, 4)))
	case protocol.Combo:
		t.each(5, maxChoices, func(at int) { o.Choices = append(o.Choices, t.in.text(at)) })
	}
	return o
}

// words are an Info as the text protocol has it, "" for a line that is not the best.
func words(t table) string {
	if t.number(1, 2) > 1 {
		return ""
	}
	var all []string
	add := func(key, value string) { all = append(all, key, value) }
	add("nodes", strconv.FormatUint(t.number(4, 4), 10))
	add("depth", strconv.FormatUint(t.number(3, 2), 10))
	if score, ok := t.float(5); ok {
		add("score", strconv.FormatFloat(score, 'f', -1, 32))
	}
	if cell := t.field(2, 2); cell != nil {
		add("target", fmt.Sprintf("(%d,%d)", cell[0], cell[1]))
	}
	if moves, _ := t.vector(6, 1); len(moves) > 0 {
		all = append(all, "pv")
		for _, move := range moves[:min(len(moves), maxLine)] {
			all = append(all, direction(int(move)))
		}
	}
	if text := t.text(7); text != "" {
		add("string", text)
	}
	return strings.Join(all, " ")
}

// direction is a move as the text protocol spells it. A number that is none stays one.
func direction(n int) string {
	if n < len(directions) {
		return directions[n].String()
	}
	return strconv.Itoa(n)
}
