package santorini

import "context"

// Think is the player's verdict for tests outside the package: sign and plies
// of a proof, and the text of the turn it would play.
func Think(text string, limits thinkLimits, off ...string) (score int, next string, nodes int64, err error) {
	pos, form, err := parse(text)
	if err != nil {
		return 0, "", 0, err
	}
	p := newPlayer()
	if err := p.set("hash", "1"); err != nil {
		return 0, "", 0, err
	}
	for _, name := range off {
		if err := p.set(name, "0"); err != nil {
			return 0, "", 0, err
		}
	}
	t := p.search(context.Background(), &pos, limits, nil)
	if t.found {
		next = t.next.text(form)
	}
	return t.score, next, t.nodes, nil
}

// ThinkLimits are thinkLimits.
type ThinkLimits = thinkLimits
