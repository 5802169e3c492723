package report

import (
	"time"

	"thera/arena/remote/keys"
)

// KeyTable lists the keys of a host's workers.
func KeyTable(list []keys.Key) *Table {
	t := tableOf("", list, func(l *line, k *keys.Key) {
		l.word("Worker", "", k.Name)
		l.word("Invited", "", k.Invited.Local().Format(time.DateOnly))
		l.word("Public key", "", k.Public).Drop = 1
	})
	if len(list) == 0 {
		t.Notes = []string{"no worker has a key"}
	}
	return t
}
