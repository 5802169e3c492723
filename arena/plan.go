// Package arena defines the types that the packages below it share: the plan of
// a run, its jobs and records, and the summary of what was decided.
//
// A run plays games between engines. These words have one meaning everywhere:
//
//   - A pairing is two engines that play each other, in the order of the plan.
//   - A pair is two games of a pairing from one opening, with the seats swapped.
//     A leg is one game of a pair, 0 or 1. Job.Pair and tournament.Pair.Number
//     number the pairs of a pairing, from 0 over the whole run.
//   - A round is a set of pairs, one or more for each pairing; numbered from 1.
//   - Job order is the order in which the games of a run are planned. A pair has
//     a place in it, a game has an index, both from 0.
//   - The place of an engine is its position in the plan. A winner or an engine
//     at fault is an index in its pairing, 0 or 1, or -1 for none.
//   - A seat is the first or the second player of one game.
//
// The package contains data only. It starts, stores and prints nothing, and
// knows no game.
package arena

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"thera/arena/files"
	"thera/arena/rating"
	"thera/engine/game"
)

// The structs below declare every setting of a run, once. Their tags drive the
// reading of match files, --set, the schema, the identities of games and the
// comparison on resume:
//
//	yaml       the key in a match file; settings without one are found, not written
//	doc        one line of words for the schema
//	enum       the closed set of words; a bool is true for the second
//	default    the value of a setting that is not given
//	required   the key must be given
//	range      of a number: "1 to 1000", "1 or more" or "more than 0"
//	needs      keys beside it that must be given with it
//	not        keys beside it that cannot be given with it
//	stranger   no: a file that comes with a commit must not give it
//	form       how a setting is written that is not written as its Go type
//	kind       of Limit: at most one kind is given, it replaces the others
//	condition  yes: a playing condition, fixed while a run goes on; no: free;
//	           by engine: the one in force of each engine is its condition

// Plan is a whole run, resolved and checked: config makes it of a match file, and session
// plays it. Nobody writes into it afterwards: whoever needs another one makes a copy. Its JSON is
// stored, beside the run's name, game and engines.
type Plan struct {
	Name string `json:"-" yaml:"name" condition:"no" doc:"the run's name; a resumed or extended run keeps it (default: the file's path)"`
	// Where it was read from, for messages; may be "".
	File string    `json:"file" condition:"no"`
	Game game.Game `json:"-" yaml:"game" form:"game" required:"true" condition:"yes" doc:"which game"`
	// The game's built-in engine.
	Player game.Player `json:"-" condition:"no"`
	// Canonical text.
	Rules string `json:"rules" yaml:"rules" form:"own" condition:"yes" doc:"the game's own rules"`
	// Found from the rules, not written.
	Law         RulesEngine  `json:"law,omitzero"`
	Engines     []EngineSpec `json:"-" yaml:"engines" required:"true" doc:"who plays, strongest first for seeding"`
	Baselines   bool         `json:"-" yaml:"baselines" condition:"no" doc:"each baseline of the built-in engine plays too"`
	Format      Format       `json:"format" yaml:"tournament" doc:"which games are played"`
	Openings    Openings     `json:"openings" yaml:"openings" doc:"where games start (default: the standard position)"`
	Limit       Limit        `json:"limit" yaml:"limit" condition:"by engine" doc:"what a side may use: one of move, clock, cpu, depth, nodes (default: move 200ms)"`
	Until       Until        `json:"until" yaml:"until" doc:"stop early when all error bars are this narrow"`
	Adjudicate  Adjudication `json:"adjudicate" yaml:"adjudicate" doc:"ends decided games; off by default"`
	Concurrency int          `json:"concurrency" yaml:"concurrency" form:"count" default:"1" condition:"no" doc:"games at a time, or auto: all allowed cores but one"`
	Audit       float64      `json:"-" yaml:"audit" form:"percent" default:"0.01" condition:"no" doc:"share of the pairs of workers that are played again elsewhere, under limits of depth or nodes, and must be equal: 1%; 0: none"`
	Seed        uint64       `json:"seed" yaml:"seed" default:"1" condition:"yes" doc:"decides all openings"`
	SPRT        SPRT         `json:"sprt" yaml:"sprt" doc:"the bounds of a sequential test"`
	// A step of a tuning: its engines are no versions of anything.
	Trial bool `json:"trial,omitempty" condition:"no"`
	// What the sandbox of this machine keeps engines from.
	Sandbox string `json:"sandbox,omitempty" condition:"no"`
	// Of a stored run: what decided before, oldest first.
	Earlier []Earlier `json:"earlier_sprt,omitempty" condition:"no"`
	// Of engines that were found in a folder. A stored run has who was left out.
	Roster *Roster `json:"roster,omitempty" condition:"no"`
	// Words of --set without values of env, recorded with the run.
	Overrides []string `json:"overrides,omitempty" condition:"no"`
}

// Roster is where the engines of a plan were found: in a folder.
type Roster struct {
	Entries []string  `json:"-"` // names in the folder
	Out     []LeftOut `json:"out,omitempty"`
	Stop    bool      `json:"-"` // nothing starts if one is to be left out
}

// LeftOut is an entry of the folder that does not play.
type LeftOut struct {
	Entry string `json:"entry"`
	Why   string `json:"why"`
}

// LeaveOut leaves an entry out.
func (r *Roster) LeaveOut(entry, why string) { r.Out = append(r.Out, LeftOut{entry, why}) }

// RulesEngine is the program that decides which moves are legal, where the game's rules name
// one.
type RulesEngine struct {
	Command []string     `condition:"no"`                   // of a program that is no engine of the run
	Binary  string       `condition:"yes"`                  // its hash, or that of the engine
	Hashed  []files.File `json:",omitempty" condition:"no"` // its files
}

// Program returns a rules engine that is no engine of the run, nil if there is none.
func (r RulesEngine) Program() *EngineSpec {
	if len(r.Command) == 0 {
		return nil
	}
	return &EngineSpec{Name: strings.Join(r.Command, " "), Command: r.Command, Hashed: r.Hashed}
}

// EngineSpec is one engine of a run. Its location, the concurrency and the
// handling of faults are not playing conditions.
type EngineSpec struct {
	Name     string            `yaml:"name" required:"true" condition:"yes" doc:"how tables call it; each name once"`
	Baseline string            `yaml:"baseline" json:",omitempty" not:"builtin command git binary options" stranger:"no" condition:"no" doc:"a strength of the built-in engine that stays the same from year to year: random, middling or strong"`
	Builtin  bool              `yaml:"builtin" condition:"yes" doc:"the engine inside this very binary"`
	Command  []string          `yaml:"command" form:"command" not:"builtin" condition:"yes" doc:"program and arguments; a path is relative to the match file, then to the working directory; a bare word is found in PATH"`
	Protocol string            `yaml:"protocol" default:"auto" condition:"yes" doc:"one of the game's protocols, or auto"`
	Dialect  map[string]string `yaml:"dialect" condition:"yes" doc:"settings of the protocol itself, such as min_move"`
	Dir      string            `yaml:"dir" stranger:"no" condition:"no" doc:"the engine's working directory, relative to the match file (default: that of thera)"`
	// NAME=value, sorted.
	Env      []string      `yaml:"env" form:"env" condition:"yes" doc:"environment variables, added to the few that thera passes on, such as PATH and HOME; a run keeps their names, not their values"`
	Options  []game.Option `yaml:"options" condition:"yes" doc:"engine options, set in this order"`
	Memory   int64         `yaml:"memory" form:"size" condition:"yes" doc:"most memory of its processes together, as 2GiB; more loses the game"`
	Fresh    bool          `yaml:"fresh" condition:"yes" doc:"a new process for every game"`
	Warmup   bool          `yaml:"warmup" json:",omitempty" condition:"yes" doc:"a new process searches once off the clock before its first game; engines known for a slow first search do so by themselves under limits of time"`
	Limit    Limit         `yaml:"limit" doc:"overrides the run's limit for this engine"`
	CPUs     []int         `yaml:"cpus" range:"0 to 4095" condition:"no" doc:"processors that its processes are bound to; the games played at a time share them out"`
	OnFault  FaultPolicy   `yaml:"on_fault" enum:"forfeit,drop,stop" default:"forfeit" condition:"no" doc:"forfeit: lose the game and go on; drop: leave the run after max_faults; stop: stop the run"`
	MaxFault int           `yaml:"max_faults" condition:"no" doc:"faults until on_fault: drop lets it leave the run"`
	IdleCPU  time.Duration `yaml:"idle_cpu" default:"50ms" condition:"no" doc:"CPU time that it may use on the opponent's time before a warning"`
	Sandbox  string        `yaml:"sandbox" json:",omitempty" enum:"auto,require,off" condition:"no" doc:"auto: what this machine can do (default); require: all of it, or nothing starts; off: none"`
	Read     []string      `yaml:"read" json:",omitempty" stranger:"no" condition:"no" doc:"further files and folders that it may read, relative to the match file"`
	Write    []string      `yaml:"write" json:",omitempty" stranger:"no" condition:"no" doc:"files and folders that it may change, relative to the match file"`
	Files    []string      `yaml:"files" json:",omitempty" stranger:"no" condition:"no" doc:"further files that are part of the engine's hash, relative to the match file, as [lib/*.py, nets]; a folder is all that is in it (default: the sources beside an interpreted script and below it)"`
	Network  bool          `yaml:"network" json:",omitempty" stranger:"no" condition:"yes" doc:"it may use the network"`
	Anchor   *float64      `yaml:"anchor" range:"-100000 to 100000" condition:"no" doc:"its Elo is fixed at this value"`
	Seed     bool          `yaml:"seed" condition:"no" doc:"gauntlet: plays against all that are not seeds"`
	// Binary is, once resolved, the SHA-256 of the binary and of files that the command names, the key of the
	// build, or the version of the built-in player.
	Binary string `yaml:"binary" needs:"builtin" stranger:"no" condition:"yes" doc:"with builtin: the engine inside another thera binary (an older one); empty: this one"`
	Git    string `yaml:"git" needs:"build command" not:"builtin files" json:",omitempty" condition:"no" doc:"build it from a commit of the git repository in this folder, relative to the match file"`
	Ref    string `yaml:"ref" needs:"git" json:",omitempty" condition:"no" doc:"with git: commit, branch or tag (default: HEAD)"`
	Fetch  string `yaml:"fetch" needs:"git" json:",omitempty" condition:"no" doc:"with git: shell command that fetches what the build needs, with network"`
	Build  string `yaml:"build" needs:"git" json:",omitempty" condition:"no" doc:"with git: shell command that builds the engine into the folder $OUT, without network"`
	Bench  string `yaml:"bench" needs:"git" json:",omitempty" condition:"no" doc:"with git: shell command that prints the engine's signature, as in signature 123456"`

	// Words before Command: the adapter of a protocol that is not in lines.
	Through []string `json:"-" condition:"no"`

	Entry     string `json:",omitempty" condition:"no"` // of the folder where it was found
	Commit    string `json:",omitempty" condition:"no"` // that was built
	Signature string `json:",omitempty" condition:"no"` // that bench printed
	Out       string `json:",omitempty" condition:"no"` // the folder $OUT

	// Of which Binary is the hash; of a built-in player: the program.
	Hashed []files.File `json:",omitempty" condition:"no"`
}

// Adapt puts the adapter of the engine's protocol before its command, if that has one. self is
// this program. An adapter plays one game.
func (e *EngineSpec) Adapt(g game.Game, self string) {
	archiver, ok := g.(game.Archiver)
	if !ok {
		return
	}
	if words := archiver.Adapter(e.Protocol); words != nil {
		e.Through, e.Fresh = slices.Concat([]string{self, "engine", g.Name()}, words, []string{"--"}), true
	}
}

// Self reports whether the engine is the program that runs now, whose file nobody has read.
func (e *EngineSpec) Self() bool { return e.Builtin && len(e.Hashed) > 0 && e.Hashed[0].Stamp != "" }

// FaultPolicy is what happens to an engine that faulted.
type FaultPolicy string

// The policies of on_fault.
const (
	FaultForfeit FaultPolicy = "forfeit" // lose the game, go on with a fresh process
	FaultDrop    FaultPolicy = "drop"    // leave the run after max_faults
	FaultStop    FaultPolicy = "stop"    // stop the run
)

// Limit is what a side may use. Exactly one kind is set. The kind tag says what
// it limits: wall time, the engine's CPU time, or its work, which is the same on
// every machine. The usage tag is how a command line gives it.
type Limit struct {
	Move    time.Duration `yaml:"move" kind:"wall" range:"more than 0" usage:"a time for each move (200ms)" condition:"yes" doc:"wall time a move"`
	Control `yaml:"clock" form:"clock" kind:"wall" usage:"a clock (60s+0.6s, 10+0.1, 40/60s)" condition:"yes" doc:"wall time a game and, after +, for each move made: 60s+0.6s; 40/60s is 60s for each 40 moves; numbers without a unit are seconds: 10+0.1"`
	CPU     time.Duration `yaml:"cpu" kind:"cpu" range:"more than 0" usage:"cpu=5ms" condition:"yes" doc:"the engine's own CPU time a move"`
	Depth   int           `yaml:"depth" kind:"work" range:"1 to 1000" usage:"depth=N" condition:"yes" doc:"search depth a move"`
	Nodes   int64         `yaml:"nodes" kind:"work" range:"1 or more" usage:"nodes=N" condition:"yes" doc:"nodes a move"`
	MaxMove time.Duration `yaml:"max_move" default:"60s" condition:"yes" doc:"most wall time a move under cpu, depth and nodes"`
	Grace   time.Duration `yaml:"grace" default:"100ms" condition:"yes" doc:"beyond the limit before it is a timeout"`
	Start   time.Duration `yaml:"start" default:"10s" condition:"yes" doc:"time to become ready"`
	Sync    time.Duration `yaml:"sync" default:"2s" condition:"yes" doc:"time for each thing off the clock: to begin a game, to take a move, to end"`
}

// Control is the time control of a clock.
type Control struct {
	Clock     time.Duration // a game, or each Period
	Increment time.Duration // added to Clock after each move
	Period    int           `json:",omitempty"` // moves after which Clock is added again; 0: never
}

// String returns the time control as a match file has it: "40/1m0s+600ms".
func (c Control) String() string {
	text := c.Clock.String()
	if c.Period > 0 {
		text = strconv.Itoa(c.Period) + "/" + text
	}
	if c.Increment > 0 {
		text += "+" + c.Increment.String()
	}
	return text
}

// Format says which games a run has. Package tournament declares the formats and
// their defaults.
type Format struct {
	Name          string   `yaml:"format" form:"format" default:"round-robin" condition:"no"`
	Rounds        int      `yaml:"rounds" range:"1 to 10000000" condition:"no" doc:"pairs of every pairing (default 1); sprt: the most pairs (default 100000); cells: pairs of every cell, with until the most; swiss: default as many as in a knockout"`
	Pairs         bool     `yaml:"pairs" default:"true" condition:"no" doc:"every opening twice, the engines change seats"`
	PairsPerMatch int      `yaml:"pairs_per_match" range:"1 to 100000" condition:"no" doc:"swiss and knockout: pairs of a match (default 1)"`
	Seeds         []string `yaml:"seeds" json:",omitempty" condition:"no" doc:"gauntlet: the engines that play against all others (default: the first)"`
}

// NumberIsStart reports whether the number of a pair, modulo the number of
// starts, is its start: the order of openings means nothing then.
func (f *Format) NumberIsStart() bool { return f.Name == "cells" }

// Sequential reports whether the run is a sequential test. Plans of other
// formats have bounds as well.
func (f *Format) Sequential() bool { return f.Name == "sprt" }

// Openings says from where games start. At most one source is set; none is
// the game's standard position. A game's openings (god match-ups) are
// bound in Plan.Game and combine with RandomPlies and Balanced.
type Openings struct {
	File        string   `yaml:"file" condition:"no" doc:"openings, one a line: a position, or moves from one (POSITION moves M1 M2); a run keeps the hash of the content"`
	First       int      `yaml:"first" needs:"file" json:",omitempty" range:"1 or more" condition:"yes" doc:"the first opening of the file that is used, from 1"`
	Most        int      `yaml:"count" needs:"file" json:",omitempty" range:"1 or more" condition:"yes" doc:"how many openings of the file are used (default: all from the first on)"`
	Positions   []string `json:"-" condition:"no"` // read from File; its hash says enough, and a book may be large
	Count       int      `condition:"no"`          // how many positions File has; kept where they are not
	Own         string   `condition:"yes"`         // the game's openings settings as JSON, for binding the game again
	Hash        string   `condition:"yes"`         // SHA-256 of the file's text
	RandomPlies int      `yaml:"random_plies" not:"file" range:"0 to 1000" condition:"yes" doc:"number of random legal turns first, drawn from the seed (default 0, with balanced 4)"`
	Balanced    float64  `yaml:"balanced" not:"file" form:"percent" range:"0 to 0.5" condition:"yes" doc:"only openings whose expected score, by the game's own engine, is within this of even, as 0.1; the version of that engine is fixed too; a start that has none in 25 draws is replaced by others, but not in cells"`
	JudgeNodes  int64    `yaml:"judge_nodes" default:"20000" range:"1 or more" condition:"yes" doc:"nodes of that estimate"`
	Random      bool     `yaml:"order" enum:"sequential,random" default:"sequential" condition:"yes" doc:"in which order openings are used"`
	Shared      bool     `yaml:"shared" json:",omitempty" condition:"yes" doc:"all pairings play the same openings (default: each draws its own)"`
	Judge       string   `json:",omitempty" condition:"yes"` // with Balanced: the judge's signature
	// Repeated openings count: where the arena is measured, not the engines.
	Repeat bool `json:",omitempty" condition:"no"`
}

// Until stops a run early, when the error bars of all engines are so narrow.
type Until struct {
	EloError   float64 `yaml:"elo_error" range:"0 or more" condition:"no" doc:"half the width of the 95 % interval, in Elo"`
	ScoreError float64 `yaml:"score_error" form:"percent" condition:"no" doc:"half the width of the 95 % interval of the score: 5%"`
}

// Adjudication ends games that are decided. Zero is off.
type Adjudication struct {
	MaxPlies   int `yaml:"max_plies" range:"0 or more" condition:"yes" doc:"a longer game is a draw"`
	DrawRule   `yaml:"draw" doc:"a draw when both sides agree"`
	ResignRule `yaml:"resign" doc:"a loss when a side's own scores say so"`
	Tables     bool `yaml:"tables" condition:"yes" doc:"end a game where the game's tables know the result"`
}

// DrawRule is when both sides' scores make a draw.
type DrawRule struct {
	DrawScore int `yaml:"score" range:"0 or more" condition:"yes" doc:"both scores within this of zero"`
	// 0 = off.
	DrawPlies int `yaml:"plies" required:"true" range:"1 or more" condition:"yes" doc:"for this many consecutive plies"`
	DrawAfter int `yaml:"after" range:"0 or more" condition:"yes" doc:"not before this ply"`
}

// ResignRule is when a side's scores lose the game for it.
type ResignRule struct {
	ResignScore int `yaml:"score" json:",omitempty" required:"true" range:"1 or more" condition:"yes" doc:"its own score at most minus this"`
	// 0 = off.
	ResignMoves int  `yaml:"movecount" json:",omitempty" required:"true" range:"1 or more" condition:"yes" doc:"for this many of its own moves in a row"`
	ResignBoth  bool `yaml:"twosided" json:",omitempty" condition:"yes" doc:"and its opponent's score at least this as often"`
}

// SPRT is a sequential probability ratio test.
type SPRT = rating.Test

// Tune says how options of an engine are tuned. Its tags are those of Plan.
type Tune struct {
	Iterations int          `yaml:"iterations" required:"true" range:"1 to 1000000" condition:"no" doc:"steps of the search"`
	Pairs      int          `yaml:"pairs" default:"8" range:"1 to 100000" condition:"no" doc:"pairs of games in each step, whatever the concurrency"`
	Options    []TuneOption `yaml:"options" required:"true" condition:"no" doc:"what is tuned"`
}

// TuneOption is one option that is tuned.
type TuneOption struct {
	Name  string  `yaml:"name" required:"true" condition:"no" doc:"as the engine calls it"`
	Start float64 `yaml:"start" required:"true" condition:"no" doc:"the first value"`
	Min   float64 `yaml:"min" required:"true" condition:"no" doc:"no value below this is tried"`
	Max   float64 `yaml:"max" required:"true" condition:"no" doc:"no value above this is tried"`
	CEnd  float64 `yaml:"c_end" required:"true" range:"more than 0" condition:"no" doc:"the last values that are tried are this far above and below: enough for some Elo"`
	REnd  float64 `yaml:"r_end" default:"0.002" range:"more than 0" condition:"no" doc:"the last step for each game that one of them is ahead, in units of c_end"`

	Fractions bool `yaml:"fractions" condition:"no" doc:"values may have fractions; else they are rounded up or down at random, so that they are right on average"`
}

// Text writes a value as the engine gets it.
func (o *TuneOption) Text(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
