// Package report shows runs: their tables, and a live display while they are
// played.
//
// Its input is an arena.Summary, which has decisions and totals but no games,
// and the events of a run. The history of all versions is the exception: Versions
// has stored games folded once more. The statistics come from package rating. An undefined
// value is a dash in tables and null in JSON, and a warning says why. The
// package decides nothing, parses no sentences, reads no database, knows no game
// and never shows NaN or infinity.
//
// Tables of a run:
//
//	r := report.New(summary)
//	err := r.Write(out, report.Terminal)     // or Markdown; CSV: the ranking alone
//	err = report.NewJSON(out).Encode(r)     // one object on one line
//	table, err := r.Table("pairings")       // one of TableNames, with all rows
//	err = table.Write(out, report.CSV)
//
// The live display is an arena.Watcher. It is a progress bar if out is a
// terminal, and a line for each event otherwise:
//
//	live := report.NewLive(os.Stderr, "thera replay")
//	session.Run(…, live)
//	err = live.Close() // before anything else is printed
package report
