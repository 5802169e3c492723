-- Times are Unix milliseconds; hashes are 64 bits, kept as signed integers. A winner or a
-- blamed engine is a seat, 0 for nobody. A sum is the CRC-32C of the row, see row.go.

CREATE TABLE runs (
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	name    TEXT NOT NULL UNIQUE,
	state   TEXT NOT NULL,
	changed INTEGER NOT NULL,
	games   INTEGER NOT NULL, -- that count
	aside   INTEGER NOT NULL, -- that do not
	sum     INTEGER NOT NULL
);

-- What changes only when a run is begun or noted. A table of its own keeps commits small.
CREATE TABLE heads (
	run  INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
	json TEXT NOT NULL, -- see run.go
	sum  INTEGER NOT NULL
);

-- What is queried of a game: what tables and stopping rules read.
CREATE TABLE games (
	id       INTEGER PRIMARY KEY,
	run      INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
	identity TEXT NOT NULL,
	status   TEXT NOT NULL,    -- counted, void, excluded
	attempt  INTEGER NOT NULL, -- at its pair that was void; the number of the time when games were excluded
	round    INTEGER NOT NULL,
	place    INTEGER NOT NULL, -- in job order
	pair     INTEGER NOT NULL,
	leg      INTEGER NOT NULL,
	first    TEXT NOT NULL,    -- engines
	second   TEXT NOT NULL,
	role1    TEXT NOT NULL,
	role2    TEXT NOT NULL,
	winner   INTEGER NOT NULL,
	source   TEXT NOT NULL,
	reason   TEXT NOT NULL,
	blamed   INTEGER NOT NULL,
	plies    INTEGER NOT NULL,
	opening  INTEGER NOT NULL, -- hash of the start
	sameness INTEGER NOT NULL, -- hash of the whole game
	spent    TEXT NOT NULL,    -- seconds; then by seat: moves, nanoseconds, CPU time, sum of depths, moves with a depth, nodes, idle CPU time, 1: it failed
	more     TEXT NOT NULL,    -- JSON of what few games have, or ''
	sum      INTEGER NOT NULL
);
CREATE UNIQUE INDEX games_identity ON games(run, identity, status, attempt);
CREATE INDEX games_jobs ON games(run, round, place, pair, leg); -- in which they are read, and mostly stored

-- The games. A table of its own keeps the other one small.
CREATE TABLE records (
	game INTEGER PRIMARY KEY REFERENCES games(id) ON DELETE CASCADE,
	json BLOB NOT NULL -- arena.GameLine, by zstd, which has a checksum of its own
);

-- What happened with workers on other machines.
CREATE TABLE incidents (
	id     INTEGER PRIMARY KEY,
	run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
	time   INTEGER NOT NULL,
	worker TEXT NOT NULL,
	kind   TEXT NOT NULL,
	game   TEXT NOT NULL, -- identity, or ''
	text   TEXT NOT NULL
);
CREATE INDEX incidents_run ON incidents(run, game);
