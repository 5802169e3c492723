package report

import (
	"time"

	"thera/arena/remote/keys"
)

// KeyTable lists the keys of a host's workers.
func KeyTable(list []keys.Key) *Table {
	t := tableOf("", list, []column[keys.Key]{
		worded("Worker", "", func(k *keys.Key) string { return k.Name }),
		worded("Invited", "", func(k *keys.Key) string { return k.Invited.Local().Format(time.DateOnly) }),
		{head: "Revoked", kind: words, cell: func(k *keys.Key) Cell {
			if k.Revoked.IsZero() {
				return text(none)
			}
			return text(k.Revoked.Local().Format(time.DateOnly))
		}},
		{head: "Public key", kind: words, drop: 1, cell: func(k *keys.Key) Cell { return text(k.Public) }},
	})
	if len(list) == 0 {
		t.Notes = []string{"no worker was invited yet"}
	}
	return t
}
