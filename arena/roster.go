package arena

// Roster is where the engines of a plan were found: in a folder.
type Roster struct {
	Entries []string  `json:"-"` // names in the folder
	Out     []LeftOut `json:"out,omitempty"`
	Stop    bool      `json:"-"` // nothing starts if one is to be left out
}

// LeftOut is an entry of the folder that does not play.
type LeftOut struct {
	Entry string `json:"entry"`
	Why   string `json:"why"`
}

// LeaveOut leaves an entry out.
func (r *Roster) LeaveOut(entry, why string) { r.Out = append(r.Out, LeftOut{entry, why}) }
