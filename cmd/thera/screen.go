package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena/report"
)

// usualColumns is the width of text for people that does not go to a terminal:
// it is read in logs, mails and documents. Scripts have JSON and CSV, which are
// always complete.
const usualColumns = 80

const wideFlag = "wide"

// columns returns how many columns a line on stdout may have; 0 is no limit.
func columns(cmd *cobra.Command) int {
	if wide, err := cmd.Flags().GetBool(wideFlag); err == nil && wide {
		return 0
	}
	if n := report.Columns(cmd.OutOrStdout()); n > 0 {
		return n
	}
	return usualColumns
}

// complain writes an error.
func complain(errOut io.Writer, err error) { tell(errOut, "thera: %s", report.Lines(err.Error())) }

// tell writes a message to stderr. It fits a terminal; elsewhere it is one line, as
// editors and logs want it. What engines say in it is neutralised.
func tell(errOut io.Writer, format string, args ...any) {
	fmt.Fprintln(errOut, report.Wrap(report.Lines(fmt.Sprintf(format, args...)), report.Columns(errOut), 2))
}

// helpTexts has a part for each command: its text, in 80 columns, and its examples.
//
//go:embed help.txt
var helpTexts string

// explain gives each command its help.
func explain(root *cobra.Command) {
	for _, part := range strings.Split(helpTexts, "\n# ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		cmd := root
		for _, c := range root.Commands() {
			if c.Name() == name {
				cmd = c
			}
		}
		cmd.Long, cmd.Example, _ = strings.Cut(text, "\nExamples:\n")
		cmd.Long, cmd.Example = strings.TrimSpace(cmd.Long), strings.TrimRight(cmd.Example, "\n")
	}
	usage := strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", usualColumns))
	root.SetUsageTemplate(usage)
}
