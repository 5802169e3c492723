-- The first schema. Times are Unix milliseconds; durations are nanoseconds;
-- hashes are 64 bits, kept as signed integers; a winner or a blamed engine is
-- its place in the pairing (0 is a, 1 is b), -1 for nobody.

CREATE TABLE runs (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	name     TEXT NOT NULL UNIQUE,
	game     TEXT NOT NULL,
	state    TEXT NOT NULL,
	started  INTEGER NOT NULL,
	changed  INTEGER NOT NULL,
	games    INTEGER NOT NULL DEFAULT 0,
	stalled  INTEGER NOT NULL DEFAULT 0,
	settings TEXT NOT NULL -- JSON, arena.Settings
);

CREATE TABLE remarks (
	run  INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
	time INTEGER NOT NULL,
	text TEXT NOT NULL
);
CREATE INDEX remarks_run ON remarks(run);

CREATE TABLE engines (
	id    INTEGER PRIMARY KEY AUTOINCREMENT,
	run   INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
	place INTEGER NOT NULL, -- in the match file
	name  TEXT NOT NULL,
	spec  TEXT NOT NULL,    -- JSON, arena.EngineSpec
	UNIQUE (run, name)
);

-- What tables and stopping rules read: small, so that a scan is quick.
CREATE TABLE games (
	id       INTEGER PRIMARY KEY,
	run      INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
	identity TEXT NOT NULL,
	stalled  INTEGER NOT NULL, -- 1: the machine's fault, replayed, in no count
	a        INTEGER NOT NULL REFERENCES engines(id),
	b        INTEGER NOT NULL REFERENCES engines(id),
	round    INTEGER NOT NULL,
	pair     INTEGER NOT NULL,
	leg      INTEGER NOT NULL,
	place    INTEGER NOT NULL, -- in job order
	winner   INTEGER NOT NULL,
	source   TEXT NOT NULL,
	reason   TEXT NOT NULL,
	blamed   INTEGER NOT NULL,
	plies    INTEGER NOT NULL,
	role1    TEXT NOT NULL,    -- by seat
	role2    TEXT NOT NULL,
	opening  INTEGER NOT NULL, -- hash of the start
	sameness INTEGER NOT NULL, -- hash of the whole game
	fresh    INTEGER NOT NULL  -- 1: no identical game of its pairing came before
);
CREATE UNIQUE INDEX games_identity ON games(run, identity, stalled);
CREATE INDEX games_pair ON games(a, b, pair, leg) WHERE stalled = 0;

-- The rest of each game: what replay, export and judge read.
CREATE TABLE records (
	game    INTEGER PRIMARY KEY REFERENCES games(id) ON DELETE CASCADE,
	number  INTEGER NOT NULL, -- which of the game's starts
	seed    INTEGER NOT NULL,
	opening TEXT NOT NULL,    -- a position from a file, '' when drawn
	start   TEXT NOT NULL,    -- the position after the opening
	moves   TEXT NOT NULL,    -- a line each
	plies   BLOB NOT NULL,    -- see plies.go
	started INTEGER NOT NULL,
	seconds REAL NOT NULL,
	idle1   INTEGER NOT NULL, -- by seat
	idle2   INTEGER NOT NULL,
	rest    TEXT              -- JSON, what few games have
);

-- Aggregates, written in the transaction of their games.
CREATE TABLE tallies (
	a     INTEGER NOT NULL REFERENCES engines(id) ON DELETE CASCADE,
	b     INTEGER NOT NULL REFERENCES engines(id) ON DELETE CASCADE,
	leg   INTEGER NOT NULL,
	role1 TEXT NOT NULL,
	role2 TEXT NOT NULL,
	round INTEGER NOT NULL, -- the earliest
	tally TEXT NOT NULL,    -- JSON, arena.Tally
	PRIMARY KEY (a, b, leg, role1, role2)
) WITHOUT ROWID;

CREATE TABLE ends (
	a       INTEGER NOT NULL REFERENCES engines(id) ON DELETE CASCADE,
	b       INTEGER NOT NULL REFERENCES engines(id) ON DELETE CASCADE,
	source  TEXT NOT NULL,
	blamed  INTEGER NOT NULL,
	winner  INTEGER NOT NULL,
	reason  TEXT NOT NULL,
	games   INTEGER NOT NULL,
	example TEXT NOT NULL, -- identity of the first
	PRIMARY KEY (a, b, source, blamed, winner, reason)
) WITHOUT ROWID;

CREATE TABLE warnings (
	a       INTEGER NOT NULL REFERENCES engines(id) ON DELETE CASCADE,
	b       INTEGER NOT NULL REFERENCES engines(id) ON DELETE CASCADE,
	kind    TEXT NOT NULL,
	count   INTEGER NOT NULL,
	example TEXT NOT NULL, -- the first such text
	PRIMARY KEY (a, b, kind)
) WITHOUT ROWID;

-- Hashes of games and of pairs that a pairing has seen.
CREATE TABLE seen (
	a    INTEGER NOT NULL REFERENCES engines(id) ON DELETE CASCADE,
	b    INTEGER NOT NULL REFERENCES engines(id) ON DELETE CASCADE,
	hash INTEGER NOT NULL,
	PRIMARY KEY (a, b, hash)
) WITHOUT ROWID;
