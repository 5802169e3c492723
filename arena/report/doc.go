// Package report shows runs: the tables of a finished or running one, and the
// live display while it is played.
//
// It takes an arena.Summary (what was decided, and aggregates; never games) and
// a run's events. Its statistics are package rating's; what is undefined there
// is a dash in tables, null in JSON, and a warning says why. It refuses to
// decide anything, to read a sentence, to read a database, to know a game, and
// to show NaN or infinity.
//
// Tables of a run:
//
//	r, err := report.New(summary)
//	err = r.Write(out, report.Terminal)     // or Markdown; CSV: the ranking alone
//	err = r.WriteJSON(out)                  // one object on one line
//	table, err := r.Table("pairings")       // one of TableNames, whole
//	err = table.Write(out, report.CSV)
//
// The display of a running one, an arena.Watcher; a progress bar if out is a
// terminal, else a line for each event:
//
//	live := report.NewLive(os.Stderr, false)
//	runner.Run(…, live)
//	err = live.Close() // before anything else is printed
package report
