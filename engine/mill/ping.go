package mill

// Ping is answered at once, also while the engine thinks.
func (dialect) Ping() (question, answer string) { return "isready", "readyok" }
