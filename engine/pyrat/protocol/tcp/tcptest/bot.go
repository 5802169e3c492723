// Package tcptest has a bot that speaks over TCP, for tests, with the faults of bots. It reads
// and writes FlatBuffers by their library alone.
package tcptest

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	fb "github.com/google/flatbuffers/go"
)

// Bot is one conversation.
type Bot struct {
	Conn  io.ReadWriter
	Agent string
	Mode  string // its fault, "" for none; see Modes
	Again func() // connects once more
	Asked func() // does something before it moves

	Options map[string]string // that it was configured with
	Limit   uint32            // of its last move, in milliseconds

	slot byte
	turn uint16
	hash uint64
}

// Modes are the faults that a bot can have, with what it does.
var Modes = map[string]string{
	"mute":     "does not connect",
	"early":    "exits before it connects",
	"stranger": "says another agent id",
	"twice":    "connects once more",
	"leaves":   "exits after it has said who it is",
	"segfault": "crashes while it prepares",
	"exit":     "exits in its third turn",
	"killed":   "kills itself in its third turn",
	"hangup":   "closes its connection in its third turn, and lives",
	"garbage":  "sends bytes that are no FlatBuffer in its third turn",
	"huge":     "sends the length of a frame that is too long in its third turn",
	"silent":   "does not answer in its third turn",
	"best":     "gives a provisional move only, and the others of its turn when it is told to stop",
	"stale":    "answers for other turns and positions first",
	"deaf":     "stops reading in its third turn",
}

// Main is the bot as a program, with its mode as the argument.
func Main() {
	fmt.Println("the bot begins") // free prints
	bot := &Bot{Agent: os.Getenv("PYRAT_AGENT_ID")}
	if len(os.Args) > 1 {
		bot.Mode = os.Args[1]
	}
	switch bot.Mode {
	case "mute":
		time.Sleep(time.Hour)
	case "early":
		fmt.Fprintln(os.Stderr, "no such module")
		os.Exit(3)
	case "stranger":
		bot.Agent = "player1"
	}
	host := "127.0.0.1:" + os.Getenv("PYRAT_HOST_PORT")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
	bot.Conn = conn
	bot.Again = func() {
		if conn, err := net.Dial("tcp", host); err == nil {
			second := &Bot{Conn: conn, Agent: bot.Agent}
			second.identify()
		}
	}
	bot.Play()
	if bot.Mode == "hangup" && bot.turn == 2 {
		conn.Close()
		time.Sleep(time.Hour)
	}
}

// Play plays until the host ends it, or until the bot's fault.
func (b *Bot) Play() {
	b.identify()
	if b.Mode == "leaves" {
		os.Exit(4)
	}
	for {
		payload, err := b.read()
		if err != nil || !b.obey(payload) {
			return
		}
	}
}

func (b *Bot) identify() {
	w := fb.NewBuilder(0)
	var options []fb.UOffsetT
	for _, o := range []struct {
		name, usual string
		kind        byte
		choices     []string
	}{{"Depth", "3", 1, nil}, {"Style", "calm", 2, []string{"calm", "very bold"}}, {"Book\nof moves", "", 3, nil}} {
		var choices []fb.UOffsetT
		for _, c := range o.choices {
			choices = append(choices, w.CreateString(c))
		}
		name, usual, list := w.CreateString(o.name), w.CreateString(o.usual), w.CreateVectorOfTables(choices)
		w.StartObject(6)
		w.PrependUOffsetTSlot(0, name, 0)
		w.PrependByteSlot(1, o.kind, 0)
		w.PrependUOffsetTSlot(2, usual, 0)
		w.PrependInt32Slot(3, 1, 0)
		w.PrependInt32Slot(4, 9, 0)
		w.PrependUOffsetTSlot(5, list, 0)
		options = append(options, w.EndObject())
	}
	name, author, agent := w.CreateString("Tester "+cmp.Or(b.Mode, "good")), w.CreateString("a\ttester"), w.CreateString(b.Agent)
	list := w.CreateVectorOfTables(options)
	w.StartObject(4)
	for i, offset := range []fb.UOffsetT{name, author, list, agent} {
		w.PrependUOffsetTSlot(i, offset, 0)
	}
	b.finish(w, 1, w.EndObject())
}

// obey answers a message, and returns whether the game goes on.
func (b *Bot) obey(payload []byte) bool {
	kind, t := message(payload)
	third := b.turn == 2
	switch kind {
	case 1:
		b.slot = t.GetByteSlot(4, 0)
		if b.Mode == "twice" {
			b.Again()
		}
	case 2:
		b.hash, b.Options = 1000, options(t)
		b.say(2, b.hash)
	case 3:
		if b.Mode == "segfault" {
			die("SEGV")
		}
		b.say(3)
	case 4:
		b.turn++
		b.hash = b.hash*31 + uint64(t.GetByteSlot(4, 0))*5 + uint64(t.GetByteSlot(6, 0))
		b.say(9, b.hash)
	case 5:
		limits := table(t, 6)
		b.Limit = limits.GetUint32Slot(4, 0)
		return b.think(third)
	case 7:
		if b.Mode == "best" { // too late: the provisional move has counted
			b.act(4, b.turn, b.hash, 3)
		}
	case 8:
		return false
	case 9:
		state := table(t, 6)
		b.turn, b.hash = state.GetUint16Slot(4, 0), 2000+uint64(state.GetUint16Slot(4, 0))
		b.say(8, b.hash)
	}
	return true
}

// think answers Go.
func (b *Bot) think(third bool) bool {
	move := byte(b.turn % 4)
	if b.Asked != nil {
		b.Asked()
	}
	switch b.Mode {
	case "best":
		b.act(7, b.turn, b.hash, move)
		return true
	case "stale":
		b.act(4, b.turn+1, b.hash, 4)
		b.act(4, b.turn, b.hash+1, 4)
	}
	if third {
		switch b.Mode {
		case "exit":
			fmt.Fprintln(os.Stderr, "panic: index out of range")
			os.Exit(5)
		case "killed":
			die("KILL")
		case "hangup":
			return false
		case "garbage":
			b.write([]byte("\xff\xff\xff\x7fgarbage that is no FlatBuffer"))
		case "huge":
			_, _ = b.Conn.Write([]byte{0x01, 0x00, 0x00, 0x01})
		case "silent":
			return true
		case "deaf":
			time.Sleep(time.Hour)
		}
	}
	b.inform()
	b.act(4, b.turn, b.hash, move)
	return true
}

// say sends a message whose one field is a hash, or that has none.
func (b *Bot) say(kind byte, hash ...uint64) {
	w := fb.NewBuilder(0)
	w.StartObject(len(hash))
	for i, h := range hash {
		w.PrependUint64Slot(i, h, 0)
	}
	b.finish(w, kind, w.EndObject())
}

// act sends an Action or a Provisional.
func (b *Bot) act(kind byte, turn uint16, hash uint64, move byte) {
	w := fb.NewBuilder(0)
	w.StartObject(5)
	w.PrependByteSlot(0, move, 0)
	w.PrependByteSlot(1, b.slot, 0)
	w.PrependUint16Slot(2, turn, 0)
	if kind == 4 {
		w.PrependUint32Slot(3, 1, 0)
		w.PrependUint64Slot(4, hash, 0)
	} else {
		w.PrependUint64Slot(3, hash, 0)
	}
	b.finish(w, kind, w.EndObject())
}

func (b *Bot) inform() {
	w := fb.NewBuilder(0)
	text := w.CreateString("turn " + strconv.Itoa(int(b.turn)))
	w.StartVector(1, 2, 1)
	w.PrependByte(2)
	w.PrependByte(0)
	line := w.EndVector(2)
	w.StartObject(10)
	w.PrependByteSlot(0, b.slot, 0)
	w.PrependUint16Slot(3, 6, 0)
	w.PrependUint32Slot(4, 77, 0)
	w.PrependFloat32Slot(5, 1.5, 0)
	w.PrependUOffsetTSlot(6, line, 0)
	w.PrependUOffsetTSlot(7, text, 0)
	w.PrependUint16Slot(8, b.turn, 0)
	w.PrependUint64Slot(9, b.hash, 0)
	b.finish(w, 5, w.EndObject())
}

// finish makes a packet of a table and sends it.
func (b *Bot) finish(w *fb.Builder, kind byte, table fb.UOffsetT) {
	w.StartObject(2)
	w.PrependByteSlot(0, kind, 0)
	w.PrependUOffsetTSlot(1, table, 0)
	w.Finish(w.EndObject())
	b.write(w.FinishedBytes())
}

func (b *Bot) write(payload []byte) {
	_, _ = b.Conn.Write(slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), payload))
}

func (b *Bot) read() ([]byte, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(b.Conn, head); err != nil {
		return nil, err
	}
	payload := make([]byte, binary.BigEndian.Uint32(head))
	_, err := io.ReadFull(b.Conn, payload)
	return payload, err
}

// message is a packet's message and its kind.
func message(payload []byte) (kind byte, t fb.Table) {
	packet := fb.Table{Bytes: payload, Pos: fb.GetUOffsetT(payload)}
	return packet.GetByteSlot(4, 0), table(packet, 6)
}

func table(t fb.Table, slot fb.VOffsetT) fb.Table {
	at := fb.UOffsetT(t.Offset(slot))
	return fb.Table{Bytes: t.Bytes, Pos: t.Indirect(at + t.Pos)}
}

// die ends the process by a signal, as a crash does. The runtime of Go catches some of them.
func die(signal string) {
	_ = syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -s " + signal + " $$"}, os.Environ())
}

// options are those of a Configure.
func options(t fb.Table) map[string]string {
	all := map[string]string{}
	at := fb.UOffsetT(t.Offset(4))
	for i := range t.VectorLen(at) {
		o := fb.Table{Bytes: t.Bytes, Pos: t.Indirect(t.Vector(at) + 4*fb.UOffsetT(i))}
		text := func(slot fb.VOffsetT) string { return string(o.ByteVector(fb.UOffsetT(o.Offset(slot)) + o.Pos)) }
		all[text(4)] = text(6)
	}
	return all
}
