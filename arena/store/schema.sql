-- Times are Unix milliseconds; durations are nanoseconds; hashes are 64 bits, kept as
-- signed integers. A winner or a blamed engine is a seat, 0 for nobody. A sum is the
-- CRC-32C of the row, see sum.go.

CREATE TABLE runs (
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	name    TEXT NOT NULL UNIQUE,
	state   TEXT NOT NULL,
	changed INTEGER NOT NULL,
	games   INTEGER NOT NULL, -- that count
	aside   INTEGER NOT NULL, -- that do not
	head    TEXT NOT NULL,    -- JSON, see run.go: what changes only when the run is begun or noted
	sum     INTEGER NOT NULL
);

-- What is queried of a game: what tables and stopping rules read.
CREATE TABLE games (
	id       INTEGER PRIMARY KEY,
	run      INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
	identity TEXT NOT NULL,
	status   TEXT NOT NULL,    -- counted, void, excluded
	attempt  INTEGER NOT NULL, -- at its pair that was void; the number of the time when games were excluded
	a        INTEGER NOT NULL, -- place among the engines of the run's head
	b        INTEGER NOT NULL,
	round    INTEGER NOT NULL,
	place    INTEGER NOT NULL, -- in job order
	pair     INTEGER NOT NULL,
	leg      INTEGER NOT NULL, -- 0: a has the first seat
	winner   INTEGER NOT NULL,
	source   TEXT NOT NULL,
	reason   TEXT NOT NULL,
	blamed   INTEGER NOT NULL,
	plies    INTEGER NOT NULL,
	role1    TEXT NOT NULL,    -- by seat
	role2    TEXT NOT NULL,
	opening  INTEGER NOT NULL, -- hash of the start
	sameness INTEGER NOT NULL, -- hash of the whole game
	seconds  REAL,             -- NULL: 0
	warnings TEXT,             -- JSON
	worker   TEXT,             -- JSON, arena.By; NULL: this machine
	points1  REAL,             -- the game's own, by seat; NULL: 0
	points2  REAL,
	spent1   TEXT NOT NULL,    -- by seat: moves, wall time, CPU time, sum of depths, moves with a depth, nodes, idle time, 1: it failed
	spent2   TEXT NOT NULL,
	sum      INTEGER NOT NULL
);
CREATE UNIQUE INDEX games_identity ON games(run, identity, status, attempt);
CREATE INDEX games_run ON games(run); -- in the order of the file: a scan is quick

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
