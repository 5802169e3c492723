package main

import (
	"errors"

	"thera/arena/store"
)

// damage collects the damaged games found while reading a run.
type damage struct{ all store.Damage }

// take records the damaged games in err and reports whether there are any.
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

// games returns the number of damaged or lost games.
func (d *damage) games() int { return len(d.all.Games) + max(0, d.all.Lost) }

// after returns the error with which a command ends: err or the damage.
func (d *damage) after(err error) error {
	if err == nil && (len(d.all.Games) > 0 || d.all.Lost != 0) {
		return &d.all
	}
	return err
}
