package rules

// printedRule is a place where engines of today list fewer turns than the printed rules
// allow, and these rules list what they do. An engine of another make, or an older version,
// may play such a turn all the same. The god's file declares it, and leaves the restriction
// out while the generator allows it.
type printedRule struct {
	name     string
	opponent string // the god that it is about, "" for any

	buildsTwice bool // a god that builds before it moves may build twice then
}

// PrintedOnly reports whether q, which must not be a next state of p by NextStates, is one
// by the printed rules, and names the rule. It is slow.
func PrintedOnly(p, q *State) (name string, ok bool) {
	if p.Winner != 0 || p.Placing() {
		return "", false
	}
	me := p.Mover & 1
	for _, r := range gods[p.Gods[me]].printed {
		if r.opponent != "" && r.opponent != p.Gods[me^1].String() {
			continue
		}
		g := &generator{list: NewMoveList(), allowed: r, target: q}
		if g.generate(p); g.found {
			return r.name, true
		}
	}
	return "", false
}
