-- The fourth schema: what happened with workers on other machines. games.stalled is -n
-- for a game that was set aside with all of a worker's, as the nth time in its run.

CREATE TABLE incidents (
	id     INTEGER PRIMARY KEY,
	run    INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
	time   INTEGER NOT NULL,
	worker TEXT NOT NULL,
	kind   TEXT NOT NULL,
	game   TEXT NOT NULL, -- identity, or ''
	text   TEXT NOT NULL,
	sum    INTEGER NOT NULL -- CRC-32C of the others
);
CREATE INDEX incidents_run ON incidents(run, game);
