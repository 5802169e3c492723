package player

import (
	"context"

	"thera/engine/santorini/rules"
)

// Think searches a position with some options off. It returns the score, the text of
// the best turn and the number of nodes.
func Think(text string, limits Limits, off ...string) (score int, next string, nodes int64, err error) {
	pos, form, err := rules.Parse(text)
	if err != nil {
		return 0, "", 0, err
	}
	p := New()
	if err := p.Set("hash", "1"); err != nil {
		return 0, "", 0, err
	}
	for _, name := range off {
		if err := p.Set(name, "0"); err != nil {
			return 0, "", 0, err
		}
	}
	t := p.Search(context.Background(), &pos, limits, nil)
	if t.Found {
		next = rules.Text(&t.Next, form)
	}
	return t.Score, next, t.Nodes, nil
}
