package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// Damage is the error of a run of which some games are not as they were
// written. All its other games can be read. It is ErrDamaged.
type Damage struct {
	Run   string
	Games []DamagedGame
	Lost  int // how many more the run should have than can be found, or fewer
}

// DamagedGame is a game that is not as it was written.
type DamagedGame struct {
	ID  string // as it stands there: it may be what is damaged
	Why error
}

// mostNamed bounds the games that a message names.
const mostNamed = 10

func (d *Damage) Error() string {
	var lines []string
	for i, g := range d.Games {
		if i == mostNamed {
			lines = append(lines, fmt.Sprintf("and %d more", len(d.Games)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("game %q of run %s is damaged: %v", g.ID, d.Run, g.Why))
	}
	switch {
	case d.Lost > 0:
		lines = append(lines, fmt.Sprintf("%d games of run %s cannot be found", d.Lost, d.Run))
	case d.Lost < 0:
		lines = append(lines, fmt.Sprintf("run %s holds %d games more than were counted", d.Run, -d.Lost))
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes it ErrDamaged.
func (d *Damage) Unwrap() error { return ErrDamaged }

func (d *Damage) add(id string, why error) { d.Games = append(d.Games, DamagedGame{id, why}) }

// count compares how many games were read with how many there should be.
func (d *Damage) count(read, want int) { d.Lost = want - read - len(d.Games) }

func (d *Damage) err() error {
	if len(d.Games) == 0 && d.Lost == 0 {
		return nil
	}
	return d
}

// damaged is the error of one game of a run.
func damaged(run, id string, why error) error {
	d := &Damage{Run: run}
	d.add(id, why)
	return d
}

// isDamage reports whether an error of reading a row is about the row, and not
// about the database being locked, closed or out of reach.
func isDamage(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		kind, _ := kindOf(err)
		return errors.Is(kind, ErrDamaged)
	}
	return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, sql.ErrConnDone)
}
