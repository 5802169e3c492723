package session

// gate lets many in, or is closed for all but one. It is made of channels, because the clock of a
// simulation stands still while somebody waits for a lock, but not for a channel.
type gate struct{ turn, in chan struct{} }

func newGate() gate { return gate{make(chan struct{}, 1), make(chan struct{}, maxPuts)} }

func (g gate) enter() {
	g.turn <- struct{}{}
	g.in <- struct{}{}
	<-g.turn
}

func (g gate) leave() { <-g.in }

// close closes the gate and returns when nobody is in.
func (g gate) close() {
	g.turn <- struct{}{}
	for range cap(g.in) {
		g.in <- struct{}{}
	}
}

func (g gate) open() {
	for range cap(g.in) {
		<-g.in
	}
	<-g.turn
}
