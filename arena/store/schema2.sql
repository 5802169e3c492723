-- The second schema: a game's figures lie in one blob (figures.go), which
-- holds a checksum of the game; a run's rows have a checksum as well (head.go).
-- Nothing is tallied here any more.

CREATE TABLE games (
	id       INTEGER PRIMARY KEY,
	run      INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
	identity TEXT NOT NULL,
	stalled  INTEGER NOT NULL,
	figures  BLOB NOT NULL
);
