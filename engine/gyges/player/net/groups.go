package net

import "thera/engine/gyges/rules"

// Groups is the number of groups of rows: features of one kind on one row of the board.
// A trainer gives the rows of a group a common part, so that what it learns about one
// square holds for its neighbours until the positions show a difference. The network
// itself knows no groups.
const Groups = (Rows + 5) / 6

// AppendGroups appends the groups of a row.
func AppendGroups(list []int, row int) []int {
	switch {
	case row == atTheirs+rules.Squares || row >= atLines:
		return list
	case row >= atTheirsPiece:
		row--
	}
	return append(list, row/6)
}
