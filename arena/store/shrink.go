package store

import "context"

// Shrink rewrites the database without the space of deleted games if a quarter of
// it is empty, and returns how many bytes were freed. Meanwhile it needs as much
// space again. It fails without losing anything if another program is changing
// the database.
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
