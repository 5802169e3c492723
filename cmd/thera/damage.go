package main

import (
	"errors"

	"thera/arena/store"
)

// damage gathers the damaged games that a walk over a run meets.
type damage struct{ all store.Damage }

// take keeps the error of damaged games, and tells that it was one.
func (d *damage) take(err error) bool {
	var met *store.Damage
	if !errors.As(err, &met) {
		return false
	}
	d.all.Run = met.Run
	d.all.Games = append(d.all.Games, met.Games...)
	d.all.Lost += met.Lost
	return true
}

// games is how many games are damaged or lost.
func (d *damage) games() int { return len(d.all.Games) + max(0, d.all.Lost) }

// after is what a command that ended with err ends with.
func (d *damage) after(err error) error {
	if err == nil && (len(d.all.Games) > 0 || d.all.Lost != 0) {
		return &d.all
	}
	return err
}
