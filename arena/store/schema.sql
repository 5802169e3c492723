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

-- What decisions and tables read of a game: all but its moves and talk.
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
	figures  BLOB NOT NULL,    -- the rest, see row.go
	sum      INTEGER NOT NULL
);
CREATE UNIQUE INDEX games_identity ON games(run, identity, status, attempt);
CREATE INDEX games_jobs ON games(run, status DESC, round, place, pair, leg); -- in which they are read, and mostly stored

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
