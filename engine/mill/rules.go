package mill

import (
	"fmt"

	"thera/engine/game"
)

// Rules are the match file's `rules` for mill.
type Rules struct {
	Flying    bool   `yaml:"flying" doc:"a side with exactly three men and none in hand may move to any empty point"`
	NMoveRule int    `yaml:"n_move_rule" doc:"draw after so many plies in which nobody placed or took a man, 10 to 200"`
	Tables    string `yaml:"tables" doc:"folder of endgame tables made by thera tables mill, for adjudicate.tables"`
}

// DefaultRules are those of real engines' default options.
func DefaultRules() Rules { return Rules{Flying: true, NMoveRule: 100} }

// rules is Rules as positions carry it.
type rules struct {
	flying bool
	quiet  int // the n-move rule
}

var defaultRules = rules{flying: true, quiet: 100}

// bind checks settings.
func (r Rules) bind() (*rules, []game.Problem) {
	if r.NMoveRule < 10 || r.NMoveRule > 200 {
		return nil, []game.Problem{{
			Path: "rules.n_move_rule",
			Err:  fmt.Errorf("%d plies: want 10 to 200", r.NMoveRule),
		}}
	}
	return &rules{flying: r.Flying, quiet: r.NMoveRule}, nil
}
