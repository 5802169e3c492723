// Package arena holds the words that the rooms of the arena share: what an
// engine, a limit, a job and a record are, and the plan of a whole run.
//
// It holds data only. It starts nothing, stores nothing, prints nothing, and
// knows no game.
package arena

import (
	"time"

	"thera/engine/game"
)

// Plan is a whole run, resolved and checked: what config makes of a match
// file and director plays.
type Plan struct {
	Name        string // the run's name: resumed under it
	File        string // where it was read from, for messages; may be ""
	Game        game.Game
	Rules       string // canonical text of the rules, part of the identity
	Engines     []EngineSpec
	Format      Format
	Openings    Openings
	Limit       Limit
	Until       Until
	Adjudicate  Adjudication
	Concurrency int
	Auto        bool // concurrency: auto was asked for
	Seed        uint64
	SPRT        SPRT
	Earlier     []SPRT   // bounds under which games of the run were tested before; Keeper.Begin fills it
	Overrides   []string // --set words without values of env, recorded with the run
	Source      string   // the file's text without them, recorded with the run
}

// EngineSpec is one engine of a run.
type EngineSpec struct {
	Name     string
	Builtin  bool
	Command  []string // resolved argv; for a built-in engine this binary
	Protocol string   // a dialect's name, or "auto"
	Dialect  map[string]string
	Dir      string
	Env      []string // NAME=value, sorted
	Options  []game.Option
	Memory   int64 // bytes, 0 = no limit
	Fresh    bool  // a new process for every game
	Limit    Limit // overrides the run's, field by field where not zero
	CPUs     []int
	OnFault  FaultPolicy
	MaxFault int // drop after so many faults (OnFault drop)
	IdleCPU  time.Duration
	IdleLoss bool // thinking on the opponent's time forfeits, not warns
	Anchor   *float64
	Seed     bool   // gauntlet: plays against all that are not seeds
	Binary   string // SHA-256 of the binary and of files the command names
}

// FaultPolicy is what happens to an engine that faulted.
type FaultPolicy string

// The policies of on_fault.
const (
	FaultForfeit FaultPolicy = "forfeit" // lose the game, go on with a fresh process
	FaultDrop    FaultPolicy = "drop"    // leave the run after max_faults
	FaultStop    FaultPolicy = "stop"    // stop the run
)

// Limit is what a side may use. Exactly one of Move, Clock, CPU, Depth and
// Nodes is set.
type Limit struct {
	Move      time.Duration // wall time a move
	Clock     time.Duration // wall time a game
	Increment time.Duration // added to Clock after each move
	CPU       time.Duration // the engine's own CPU time a move
	Depth     int
	Nodes     int64
	MaxMove   time.Duration // wall time a move under CPU, Depth and Nodes; 60 s
	Grace     time.Duration // beyond a limit before it is a timeout; 100 ms
	Start     time.Duration // to say that it is ready; 10 s
	Sync      time.Duration // off the clock: to begin a game, to be told, to end; 2 s
}

// Format says which games a run has.
type Format struct {
	Name   string // round-robin, gauntlet, sprt, swiss, knockout, cells
	Rounds int
	Pairs  bool // every opening twice, engines' seats swapped
	// knockout
	PairsPerMatch int
	Extra         int
}

// Openings says from where games start. At most one source is set; none is
// the game's standard position. A game's own openings (god match-ups) are
// bound in Plan.Game and combine with RandomPlies and Balanced.
type Openings struct {
	File        string
	Positions   []string // read from File
	Count       int      // how many positions File has; kept where they are not
	Own         string   // the game's own openings settings as JSON, for binding the game again
	Hash        string   // SHA-256 of the file's text
	RandomPlies int
	Balanced    float64 // 0 = off; else the most that the expected score may be off 0.5
	JudgeNodes  int64   // for Balanced
	Random      bool    // order: random
	Text        string  // canonical text of all openings settings, part of the identity
}

// Until stops a run early, when the error bars of all engines are so narrow.
type Until struct {
	EloError   float64
	ScoreError float64 // a fraction
}

// Adjudication ends games that are decided. Zero is off.
type Adjudication struct {
	MaxPlies  int
	DrawScore int // |score| at most this for both sides
	DrawPlies int // over so many plies running; 0 = off
	DrawAfter int // not before this ply
	WinScore  int
	WinPlies  int // 0 = off
	Tables    bool
}

// SPRT is a sequential probability ratio test.
type SPRT struct {
	Elo0, Elo1  float64
	Alpha, Beta float64
	Model       string // normalized, logistic, bayesian
}
