package arena

// Roster is where the engines of a plan were found: in a folder.
type Roster struct {
	Entries []string // names in the folder
	Out     []LeftOut
	Stop    bool // nothing starts if one is to be left out
}

// LeftOut is an entry of the folder that does not play.
type LeftOut struct{ Entry, Why string }

// LeaveOut leaves an entry out.
func (r *Roster) LeaveOut(entry, why string) { r.Out = append(r.Out, LeftOut{entry, why}) }
