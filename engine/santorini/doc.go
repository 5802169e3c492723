// Package santorini is Santorini: positions, turns, both forms of the position
// text, all gods, and (in files of their own) the protocol and the player.
//
// It refuses to know engines other than its own: no process, no clock of a
// match, no result. A side's power lives in its god_NAME.go and nowhere else.
//
// # For the player and the protocol
//
// The concrete position is [state]: 36 bytes, compared with ==, copied freely.
// The key of the transposition table is state.key(), computed from scratch in
// a few nanoseconds.
//
//	p, form, err := parse(text)   // strict; form is formV1 or formV2
//	text := p.text(form)          // form v1 only where p.fitsV1()
//	p.mover, p.winner             // 0|1 to move; winner 0 (none), 1, 2
//	p.placing()                   // the mover places its workers this turn
//
//	f := newFrame()               // one a ply, allocated once
//	f.generate(&p)                // all distinct turns in f.moves, wins first
//	f.winning(&p)                 // only the wins, or only the first: cheap
//	next := f.child(&p, m)        // the state after f.moves[i]; f must be as generated
//	m.id()                        // 32 bits for tables: the same turn has the same id in each visit
//	m.from(), m.to(), m.built()   // squares, hints for ordering; noSquare where a turn has none
//	m.wins()
//
// No moves means that the mover is blocked: it loses, and blocked(p, form) is
// the pseudo-turn. A position with p.winner != 0 is over; generate gives none.
//
//	m, ok := f.find(&p, &q)       // the turn from p to q; f then holds p's turns
//	chain, ok := explain(&p, &q)  // one shortest []Action from p to q
//	turns := allTurns(&p)         // every distinct next state with its chain
//	isPseudo(&p, &q)              // q is p's pseudo-turn in form v1 or v2
//	count(ctx, &p, depth)         // perft, in bulk
//
//	box(p, form)                  // the game.Position of a state
//	p, form := unbox(pos)
//
// A move of game.Position is the text of the next state. Moves writes it in
// the form of the position that was asked; Play reads either form and looks
// for the state it means among the legal ones.
//
// A turn of a god outside the fast path carries its child in f.kids; the
// caller does not see the difference.
package santorini
