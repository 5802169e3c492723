package pyrat

// Ping is answered at once, also while the engine thinks.
func (Dialect) Ping() (question, answer string) { return "isready", "readyok" }
