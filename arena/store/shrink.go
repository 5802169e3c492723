package store

import "context"

// Shrink gives the room of deleted games back to the disk, where that is worth
// writing the database anew: a quarter of it is empty. It returns by how many
// bytes the database is smaller. It needs as much room again while it works, and
// fails where another program is changing the database; nothing is lost then.
func (s *Store) Shrink(ctx context.Context) (freed int64, err error) {
	err = s.await(ctx, task{bare: true, change: func(ctx context.Context, w *writer) error {
		conn := w.conn
		var empty, pages, left, size int64
		for name, value := range map[string]*int64{"freelist_count": &empty, "page_count": &pages, "page_size": &size} {
			if err := conn.QueryRowContext(ctx, "PRAGMA "+name).Scan(value); err != nil {
				return err
			}
		}
		if 4*empty < pages {
			return nil
		}
		if _, err := conn.ExecContext(ctx, "VACUUM"); err != nil {
			return err
		}
		if err := conn.QueryRowContext(ctx, "PRAGMA page_count").Scan(&left); err != nil {
			return err
		}
		freed = (pages - left) * size
		_, err := conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		return err
	}})
	return freed, err
}
