package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// Damage is the error of a run with damaged games. All other games can be read.
// It unwraps to ErrDamaged.
type Damage struct {
	Run   string
	Games []damagedGame
	Lost  int // games that are missing; negative: that are too many
}

// damagedGame is a game whose checksum is wrong or that cannot be read.
type damagedGame struct {
	ID  string // as stored: it may itself be damaged
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
		lines = append(lines, fmt.Sprintf("run %s has %d games more than were counted", d.Run, -d.Lost))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns ErrDamaged.
func (d *Damage) Unwrap() error { return ErrDamaged }

func (d *Damage) add(id string, why error) { d.Games = append(d.Games, damagedGame{id, why}) }

// count computes Lost from the numbers of games read and expected.
func (d *Damage) count(read, want int) { d.Lost = want - read - len(d.Games) }

func (d *Damage) err() error {
	if len(d.Games) == 0 && d.Lost == 0 {
		return nil
	}
	return d
}

// damaged returns the error of one damaged game.
func damaged(run, id string, why error) error {
	d := &Damage{Run: run}
	d.add(id, why)
	return d
}

// isDamage reports whether a read error is about the row itself, and not about a
// database that is locked, closed or unreachable.
func isDamage(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		kind, _ := kindOf(err)
		return errors.Is(kind, ErrDamaged)
	}
	return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, sql.ErrConnDone)
}
