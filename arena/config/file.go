// Package config reads match files: YAML in, an arena.Plan out.
//
// It is strict: every fault of a file is reported at once, each with file,
// line, column and path, before any engine starts. It is the only package
// that imports yaml.v3. It starts nothing and refuses to guess: an unknown
// key, a wrong type or an unfit combination is an error, never a default.
package config

import "time"

// The structs below are the match file. Their tags are the keys, the words
// shown by the schema and its closed sets of words; the decoder and the
// schema are both driven by them.

// file is a whole match file.
type file struct {
	Name        string     `yaml:"name" doc:"the run's name; a resumed or extended run keeps it (default: the file's path)"`
	Game        string     `yaml:"game" doc:"which game is played" required:"true"`
	Rules       raw        `yaml:"rules" doc:"the game's own rules"`
	Engines     []engine   `yaml:"engines" doc:"who plays, strongest first where seeding matters" required:"true"`
	Tournament  tournament `yaml:"tournament" doc:"which games are played"`
	Openings    openings   `yaml:"openings" doc:"from where games start (default: the game's standard position)"`
	Limit       limit      `yaml:"limit" doc:"what a side may use: one of move, clock, cpu, depth, nodes (default: move 200ms)"`
	Until       until      `yaml:"until" doc:"stop early when the error bars of all engines are this narrow"`
	Adjudicate  adjudicate `yaml:"adjudicate" doc:"ends decided games; off by default"`
	Concurrency count      `yaml:"concurrency" doc:"games at a time, or auto: all allowed cores but one (default 1)"`
	Seed        uint64     `yaml:"seed" doc:"decides all openings (default 1)"`
	SPRT        sprt       `yaml:"sprt" doc:"the bounds of a sequential test"`
}

type engine struct {
	Name     string            `yaml:"name" doc:"how tables call it; each name once" required:"true"`
	Builtin  bool              `yaml:"builtin" doc:"the engine inside this very binary"`
	Binary   string            `yaml:"binary" doc:"with builtin: the engine inside another thera binary (an older one); empty: this one"`
	Command  command           `yaml:"command" doc:"program and arguments; a path is looked up beside the match file, then in the working directory, a bare word in PATH"`
	Protocol string            `yaml:"protocol" doc:"one of the game's protocols, or auto (default)"`
	Dialect  map[string]string `yaml:"dialect" doc:"settings of the protocol itself, such as min_move"`
	Dir      string            `yaml:"dir" doc:"the engine's working directory, relative to the match file (default: that of thera)"`
	Env      map[string]string `yaml:"env" doc:"environment variables, added to those of thera; a run keeps their names, not their values"`
	Options  optionList        `yaml:"options" doc:"engine options, set in this order"`
	Memory   size              `yaml:"memory" doc:"most memory of its processes together, as 2GiB"`
	Fresh    bool              `yaml:"fresh" doc:"a new process for every game"`
	Limit    limit             `yaml:"limit" doc:"overrides the run's limit for this engine"`
	CPUs     []int             `yaml:"cpus" doc:"processors that its processes are bound to; the games played at a time share them out"`
	OnFault  string            `yaml:"on_fault" enum:"forfeit,drop,stop" doc:"forfeit: lose the game and go on; drop: leave the run after max_faults; stop: stop the run (default forfeit)"`
	MaxFault int               `yaml:"max_faults" doc:"faults until on_fault: drop lets it leave the run"`
	IdleCPU  time.Duration     `yaml:"idle_cpu" doc:"CPU time that it may use outside its own turns in a game before a warning (default 50ms)"`
	IdleLoss bool              `yaml:"idle_forfeit" doc:"more than idle_cpu loses the game"`
	Anchor   *float64          `yaml:"anchor" doc:"its Elo is fixed at this value"`
	Seed     bool              `yaml:"seed" doc:"gauntlet: plays against all that are not seeds"`
}

type tournament struct {
	Format        string   `yaml:"format" enum:"round-robin,gauntlet,sprt,swiss,knockout,cells,gods" doc:"which games are played; cells (alias gods): every start of the openings on its own, also with one engine (default round-robin)"`
	Rounds        int      `yaml:"rounds" doc:"round-robin and gauntlet: pairs of every pairing (default 1); sprt: most pairs (default 100000); swiss: rounds (default as many as a knockout has); cells: pairs of every cell, with until the most (default 1)"`
	Pairs         bool     `yaml:"pairs" doc:"every opening twice, the engines change seats (default true)"`
	PairsPerMatch int      `yaml:"pairs_per_match" doc:"knockout and swiss: pairs of a match (default 1)"`
	Extra         int      `yaml:"extra" doc:"knockout: most further pairs of a tied match, then the higher seed goes on (default 8)"`
	Seeds         []string `yaml:"seeds" doc:"gauntlet: names of the engines that play against all others (default: the first engine)"`
}

// openings holds what every game has; the game's own keys beside them land
// in Rest.
type openings struct {
	File        string  `yaml:"file" doc:"positions, one a line (.fen), or one JSON string or object with \"position\" a line (.jsonl)"`
	RandomPlies int     `yaml:"random_plies" doc:"so many random legal turns first, drawn from the seed (default 0, with balanced 4)"`
	Balanced    percent `yaml:"balanced" doc:"only openings whose expected score, by the game's own engine, is within this of even (0.1)"`
	JudgeNodes  int64   `yaml:"judge_nodes" doc:"nodes of that estimate (default 20000)"`
	Order       string  `yaml:"order" enum:"sequential,random" doc:"in which order openings are used (default sequential)"`
	Rest        raw     `yaml:",rest"`
}

type limit struct {
	Move    time.Duration `yaml:"move" doc:"wall time a move"`
	Clock   clock         `yaml:"clock" doc:"wall time a game and, after +, for each move made: 60s+0.6s"`
	CPU     time.Duration `yaml:"cpu" doc:"the engine's own CPU time a move"`
	Depth   int           `yaml:"depth" doc:"search depth a move"`
	Nodes   int64         `yaml:"nodes" doc:"nodes a move"`
	MaxMove time.Duration `yaml:"max_move" doc:"most wall time a move under cpu, depth and nodes (default 60s)"`
	Grace   time.Duration `yaml:"grace" doc:"beyond the limit before it is a timeout (default 100ms)"`
	Start   time.Duration `yaml:"start" doc:"time to say that it is ready (default 10s)"`
	Sync    time.Duration `yaml:"sync" doc:"time for each thing off the clock: to begin a game, to be told a move, to end (default 2s)"`
}

type until struct {
	EloError   float64 `yaml:"elo_error" doc:"half the width of the 95 % interval, in Elo"`
	ScoreError percent `yaml:"score_error" doc:"half the width of the 95 % interval of the score: 5%"`
}

type adjudicate struct {
	MaxPlies int       `yaml:"max_plies" doc:"a longer game is a draw"`
	Draw     drawRule  `yaml:"draw" doc:"a draw when both sides say so"`
	Win      scoreRule `yaml:"win" doc:"a win when both sides say so"`
	Tables   bool      `yaml:"tables" doc:"end a game where the game's tables know the result"`
}

type drawRule struct {
	Score int `yaml:"score" doc:"both scores within this of zero"`
	Plies int `yaml:"plies" doc:"over so many plies running"`
	After int `yaml:"after" doc:"not before this ply"`
}

type scoreRule struct {
	Score int `yaml:"score" doc:"one side at least this, the other at most minus this"`
	Plies int `yaml:"plies" doc:"over so many plies running"`
}

type sprt struct {
	Elo0  float64 `yaml:"elo0" doc:"H0: the first engine is no stronger than this (default 0)"`
	Elo1  float64 `yaml:"elo1" doc:"H1: it is at least this much stronger (default 10)"`
	Alpha float64 `yaml:"alpha" doc:"chance to accept H1 wrongly (default 0.05)"`
	Beta  float64 `yaml:"beta" doc:"chance to accept H0 wrongly (default 0.05)"`
	Model string  `yaml:"model" enum:"normalized,logistic,bayesian" doc:"what Elo means in the bounds (default normalized)"`
}

// defaults is a match file in which nothing was said.
func defaults() file {
	return file{
		Tournament:  tournament{Format: "round-robin", Pairs: true},
		Openings:    openings{JudgeNodes: 20000, Order: "sequential"},
		Concurrency: count{N: 1},
		Seed:        1,
		SPRT:        sprt{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: "normalized"},
	}
}
