// Package rules is the rules of Santorini with all its gods: positions, turns and
// their actions, legality, counting, and what a search wants to know about threats.
//
// It refuses to know protocols, evaluation and search. A god's power is in its god_NAME.go and nowhere else.
//
// A State is a position. A MoveList lists the turns of one:
//
//	l := rules.NewMoveList()
//	l.Generate(&p)
//	for _, m := range l.Moves {
//		next := l.Child(&p, m)
//	}
//
// No turns means that the game is over (p.Winner is not 0) or that the mover is
// blocked and loses. A turn may be given by its next state alone: Find looks for
// the turn that leads there, and Explain for a shortest chain of actions.
//
// Twelve gods have a fast path, in which a Move describes the whole turn.
// All other turns are played on a copy of the position by the full rules, and the
// resulting states are in MoveList.Children. Callers need not distinguish the two.
package rules
