package rules

func heraPower() power {
	return power{
		name:          "hera",
		text:          "the opponent cannot win by moving onto the perimeter",
		example:       "0300002100001000100000010/2/hera:B3,D3/mortal:B4,C2",
		limitOpponent: func(g *generator, _ uint8) { g.noWin |= perimeter },
	}
}
