package net

import "thera/engine/santorini/rules"

// Groups is the number of groups of rows. In training the rows of a group share a term, so
// that what is learned about one square applies to others. The network does not use groups.
const Groups = 2 * setGroups

const (
	offsets   = 9 * 9 // of a square from the worker
	distances = 5 * 5

	groupWorker = 0                                    // height
	groupBlock  = groupWorker + heights                // height, offset, level
	groupNear   = groupBlock + heights*offsets*levels  // height, distance, level
	groupOther  = groupNear + heights*distances*levels // mate or foe, offset, its height
	groupAround = groupOther + 2*offsets*heights       // mate or foe, distance, its height
	groupToken  = groupAround + 2*distances*heights    // one's or the foe's, offset
	groupGod    = groupToken + 2*offsets               // one's or the foe's, god
	setGroups   = groupGod + 2*int(rules.GodCount)     //
)

// AppendGroups appends the groups of a row, at most two.
func AppendGroups(list []int, row int) []int {
	set := row / setRows * setGroups
	row %= setRows
	add := func(group int) { list = append(list, set+group) }
	switch {
	case row < atBlock:
		add(groupWorker + (row-atWorker)/classes)
	case row < atMate:
		level, square, place := split(row-atBlock, levels)
		offset, distance := apart(square, place%classes)
		height := place / classes
		add(groupBlock + (height*offsets+offset)*levels + level)
		add(groupNear + (height*distances+distance)*levels + level)
	case row < atToken:
		height, square, rest := split(row-atMate, heights)
		offset, distance := apart(square, rest%classes)
		kind := rest / classes
		add(groupOther + (kind*offsets+offset)*heights + height)
		add(groupAround + (kind*distances+distance)*heights + height)
	case row < atFemale:
		_, square, rest := split(row-atToken, 1)
		offset, _ := apart(square, rest%classes)
		add(groupToken + rest/classes*offsets + offset)
	case row >= atGod && row < atState:
		add(groupGod + (row-atGod)/classes)
	}
	return list
}

// Details is the number of kinds of rows that each god adds to, see Family.
const (
	rings = 7 // distances from the worker; those of three squares and more are one

	detailWorker = 0                                  // height, class
	detailBlock  = detailWorker + heights*classes     // height, ring, level
	detailOther  = detailBlock + heights*rings*levels // mate or foe, ring, its height
	Details      = detailOther + 2*rings*heights      //
)

// detailOf has the kinds of the rows of a set that have one.
var detailOf = func() (list [atToken]uint8) {
	for r := range list {
		list[r] = uint8(Detail(r))
	}
	return list
}()

// Detail returns the kind of a row, Details if it has none.
func Detail(row int) int {
	ring := func(square, class int) int {
		_, distance := apart(square, class)
		near, far := distance/5, distance%5
		return min(far*(far+1)/2+near, rings-1)
	}
	switch row %= setRows; {
	case row < atBlock:
		return detailWorker + row - atWorker
	case row < atMate:
		level, square, place := split(row-atBlock, levels)
		return detailBlock + (place/classes*rings+ring(square, place%classes))*levels + level
	case row < atToken:
		height, square, rest := split(row-atMate, heights)
		return detailOther + (rest/classes*rings+ring(square, rest%classes))*heights + height
	}
	return Details
}

// split splits an index of the form (rest, square, low).
func split(index, lows int) (low, square, rest int) {
	return index % lows, index / lows % squares, index / lows / squares
}

// apart returns the offset of a square from a worker of a class, and the distance, which has
// no direction.
func apart(square, class int) (offset, distance int) {
	across := square%rules.Side - representatives[class]%rules.Side
	down := square/rules.Side - representatives[class]/rules.Side
	near, far := max(across, -across), max(down, -down)
	return (down+4)*9 + across + 4, min(near, far)*5 + max(near, far)
}
