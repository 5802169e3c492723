package protocol

import (
	"context"
	"fmt"
	"strconv"

	"thera/engine/game"
	"thera/engine/hex/rules"
	"thera/engine/protocol"
)

// Dialect is one generation of the protocol, client side.
//
// v1 is the written text: the size is on the command line and there is no swap.
// v2 has the colour on the command line and the size in init_board, an empty
// line after messages about the board, and swap.
type Dialect struct {
	Version int
	Size    int  // of the bound game, for v1's command line
	Auto    bool // the bot may be a program that speaks GTP
}

// Name is "v1" or "v2", or "auto".
func (d Dialect) Name() string {
	if d.Auto {
		return "auto"
	}
	return d.generation()
}

func (d Dialect) generation() string { return "v" + strconv.Itoa(d.Version) }

// Instead is GTP for a program that ends at once, as one does that takes no colour, or
// refuses our words as only GTP does. Bots are not asked what they speak: many know no
// other words than their own.
func (d Dialect) Instead(fault *game.Fault) []game.Dialect {
	switch {
	case !d.Auto:
		return nil
	case fault == errGTP:
		return []game.Dialect{GTP{}, Dialect{Version: d.Version, Size: d.Size}}
	case fault.Kind == game.FaultExited || fault.Kind == game.FaultCrashed:
		return []game.Dialect{GTP{}}
	}
	return nil
}

// errGTP is the fault of a program that refuses a message in the words of GTP.
var errGTP = game.Protocolf("it answers as programs do that speak GTP")

// Args are the colour that the seat begins with (v2), or the size (v1).
func (d Dialect) Args(seat game.Seat) []string {
	if d.Version == 1 {
		return []string{"--size", strconv.Itoa(d.Size)}
	}
	if seat == game.First {
		return []string{rules.Black.String()}
	}
	return []string{rules.White.String()}
}

// Bye is quit.
func (Dialect) Bye() string { return "quit" }

// Ping is empty: a bot that thinks answers nothing.
func (Dialect) Ping() (question, answer string) { return "", "" }

// Dial sends nothing: bots answer only make_move. Options of the match file
// are sent as `option NAME VALUE`. The protocol has no limits; the built-in engine is
// sent its time, another thera binary too, with the option `cpu: auto` or `time: auto`.
// Any bot is sent `option playouts N` and `option depth N`: it says ok if it takes them.
func (d Dialect) Dial(_ context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	for key := range opts.Protocol {
		return nil, game.Info{}, fmt.Errorf("dialect setting %q: hex's protocol has none", key)
	}
	s := &session{Client: protocol.NewClient(conn, protocol.Fence{}), version: d.Version, auto: d.Auto, size: d.Size, options: opts.Set, autoTime: opts.Builtin}
	info := game.Info{Protocol: d.generation(), Resets: true, Silent: true}
	for _, o := range opts.Set {
		info.Options = append(info.Options, o.Name)
		switch o.Name {
		case optionTime, optionCPU, optionPlayouts, optionDepth:
			s.autoTime = o.Value == "auto"
		}
	}
	s.obeys = opts.Builtin || s.autoTime
	info.Limits = game.Limits{Time: s.autoTime, Depth: true, Nodes: true}
	return s, info, nil
}
