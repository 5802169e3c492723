package rules

// exampleBoards are the heights on which the powers of most gods show.
var exampleBoards = []string{
	"0102100120001020100000010",
	"0102102310013020100002010",
	"0012302320011231120000110",
	"4401142310013024100402310",
}

// Examples are positions of g against mortal that can show the power of g: g is to
// move, or mortal if g limits its opponent.
func Examples(g God) []State {
	if text := gods[g].example; text != "" {
		p, _, err := Parse(text)
		if err != nil {
			return nil
		}
		return []State{p}
	}
	var list []State
	for _, heights := range exampleBoards {
		p := State{Gods: [2]God{g, Mortal}, GodState: [2]uint32{g.InitialState()}}
		if parseHeights(&p, heights) != nil {
			continue
		}
		p.Workers = [2]uint32{Bit(11) | Bit(13), Bit(7) | Bit(17)}
		if g.Workers() > 2 {
			p.Workers[0] |= Bit(15)
		}
		if _, sample := g.StateText(); sample != "" {
			p.GodState[0], _ = g.ParseState(sample)
		}
		if g.LimitsOpponent() {
			p.Mover = 1
		}
		list = append(list, p)
	}
	return list
}
