package net

import (
	"math/bits"
	"slices"

	"thera/engine/santorini/rules"
)

// The offsets of the rows of one set, by kind of feature. A symmetry maps the square of a
// worker to one of six squares, its class, and all other squares with it. Heights of workers
// are 0 to 2; level 3 counts as 2.
const (
	classes = 6
	heights = 3
	levels  = 4 // of blocks, 1 to 4
	codes   = 9 // of the states of gods

	atWorker = 0                                        // height, class
	atBlock  = atWorker + heights*classes               // height, class, square, level
	atMate   = atBlock + heights*classes*squares*levels // class, square, its height
	atFoe    = atMate + classes*squares*heights         // class, square, its height
	atToken  = atFoe + classes*squares*heights          // its side's or the foe's, class, square
	atFemale = atToken + 2*classes*squares              //
	atGod    = atFemale + 1                             // its side's or the foe's, god, class
	atState  = atGod + 2*int(rules.GodCount)*classes    // its side's or the foe's, god, code
	setRows  = atState + 2*int(rules.GodCount)*codes    //
	squares  = rules.Squares

	// Rows is the number of rows of both sets: first the set for workers of the side to
	// move, then the set for the others.
	Rows = 2 * setRows
)

// classOf has the class of each square. seenFrom[s] is the symmetry that maps s to its class,
// as a map of squares.
var classOf, seenFrom = symmetries()

// places is the number of places, as in Evaluator. Some places are not on the board.
const places = heights * 32

// sight has tables by the square or place of a worker.
type sight struct {
	blocks [32][levels * 32]uint8 // by level and square of a block: the square as the worker sees it, and the level
	others [32][places]uint16     // by place of another worker: its row, counted from atMate or atFoe
	places [places]uint8          // by place of the worker: its height and class
	signs  [2]int16               // of the step of a block that is gone, and of a new one
}

var geometry = func() (g sight) {
	g.signs = [2]int16{-1, 1}
	for s := range squares {
		for h := range heights {
			g.places[h*32+s] = uint8(h*classes + int(classOf[s]))
		}
		for t := range squares {
			seen := int(seenFrom[s][t])
			for k := range levels {
				g.blocks[s][k*32+t] = uint8(seen*levels + k)
			}
			for h := range heights {
				g.others[s][h*32+t] = uint16((int(classOf[s])*squares+seen)*heights + h)
			}
		}
	}
	return g
}()

// representatives has the square of each class.
var representatives = [classes]int{0, 1, 2, 6, 7, 12}

func symmetries() (class [32]uint8, seen [32][32]uint8) {
	for s := range squares {
		for turn := range 8 {
			if c := slices.Index(representatives[:], Turned(s, turn)); c >= 0 {
				class[s] = uint8(c)
				for t := range squares {
					seen[s][t] = uint8(Turned(t, turn))
				}
				break
			}
		}
	}
	return class, seen
}

// Turned returns the square to which symmetry turn, 0 to 7, of the board maps square s.
func Turned(s, turn int) int {
	row, column := s/rules.Side, s%rules.Side
	if turn&1 != 0 {
		column = rules.Side - 1 - column
	}
	if turn&2 != 0 {
		row = rules.Side - 1 - row
	}
	if turn&4 != 0 {
		row, column = column, row
	}
	return row*rules.Side + column
}

// AppendFeatures appends the rows whose sum is the view of the worker of side on square s.
func AppendFeatures(list []uint16, p *rules.State, side uint8, s int) []uint16 {
	side &= 1
	set := 0
	if side != p.Mover&1 {
		set = setRows
	}
	seen := &seenFrom[s&31]
	place := min(p.Height(s), heights-1)*classes + int(classOf[s&31])
	list = append(list, uint16(set+atWorker+place))
	for blocks := p.Above[0] & rules.Board; blocks != 0; blocks &= blocks - 1 {
		t := bits.TrailingZeros32(blocks)
		list = append(list, uint16(set+atBlock+(place*squares+int(seen[t]))*levels+p.Height(t)-1))
	}
	return appendOthers(list, p, side, s, set)
}

// appendOthers appends all features but the worker itself and the blocks.
func appendOthers(list []uint16, p *rules.State, side uint8, s, set int) []uint16 {
	class, seen := int(classOf[s&31]), &seenFrom[s&31]
	for i, kind := range [2]int{atMate, atFoe} {
		for others := p.Workers[(int(side)^i)&1] &^ rules.Bit(s); others != 0; others &= others - 1 {
			t := bits.TrailingZeros32(others) & 31
			list = append(list, uint16(set+kind+(class*squares+int(seen[t]))*heights+min(p.Height(t), heights-1)))
		}
	}
	if p.Gods[0]|p.Gods[1] == rules.Mortal {
		return list
	}
	return appendPowers(list, p, side, s, set)
}

// appendPowers appends the features of gods other than mortals.
func appendPowers(list []uint16, p *rules.State, side uint8, s, set int) []uint16 {
	class, seen := int(classOf[s&31]), &seenFrom[s&31]
	add := func(row int) { list = append(list, uint16(set+row)) }
	for i := range 2 {
		of := int(side) ^ i
		god, state := p.Gods[of], p.GodState[of]
		female, tokens := god.Marks(state)
		marks := female|tokens != 0
		if i == 0 && female == rules.Bit(s) {
			add(atFemale)
		}
		for ; tokens != 0; tokens &= tokens - 1 {
			add(atToken + (i*classes+class)*squares + int(seen[bits.TrailingZeros32(tokens)]))
		}
		index := i*int(rules.GodCount) + int(god)
		add(atGod + index*classes + class)
		add(atState + index*codes + code(state, marks))
	}
	return list
}

// code encodes the state of a god as a small number, without tokens and female workers, which
// have separate rows.
func code(state uint32, marks bool) int {
	if state>>squares != 0 {
		return min(int(state>>squares), codes-1)
	}
	if marks {
		return 0
	}
	return min(int(state), codes-1)
}
