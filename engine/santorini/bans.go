package santorini

// ban is a match-up that is not played, in either order.
type ban struct {
	a, b   God
	reason string
}

// bans is the list, by the rulebook and by what engines of today refuse.
var bans = []ban{}

// banned is why a match-up is not played, "" where it is.
func banned(m matchup) string {
	for _, b := range bans {
		if m == (matchup{b.a, b.b}) || m == (matchup{b.b, b.a}) {
			return b.reason
		}
	}
	return ""
}
