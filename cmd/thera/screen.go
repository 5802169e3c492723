package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// showHelp makes help texts fit. The texts in the code may have any width: paragraphs
// are filled, and indented lines stay as they are.
func showHelp(root *cobra.Command) {
	cobra.AddTemplateFunc("fill", func(text string) string { return report.Wrap(filled(text), columns(root), 0) })
	cobra.AddTemplateFunc("listed", func(cmd *cobra.Command) string {
		line := fmt.Sprintf("  %-*s %s", cmd.NamePadding(), cmd.Name(), cmd.Short)
		return report.Wrap(line, columns(root), cmd.NamePadding()+1)
	})
	cobra.AddTemplateFunc("flags", func(f *pflag.FlagSet) string { return f.FlagUsagesWrapped(columns(root)) })
	root.SetHelpTemplate("{{or .Long .Short | fill}}\n\n{{.UsageString}}")
	root.SetUsageTemplate(`Usage:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]{{end}}
{{if .HasExample}}
Examples:
{{.Example}}
{{end}}{{if .HasAvailableSubCommands}}
Commands:
{{range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}{{listed .}}
{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{flags .LocalFlags}}{{end}}{{if .HasAvailableInheritedFlags}}
Global Flags:
{{flags .InheritedFlags}}{{end}}`)
}

// filled joins the lines of each paragraph of a text.
func filled(text string) string {
	var b strings.Builder
	open := false // the last line can continue
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimSuffix(line, "\n")
		prose := line != "" && line[0] != ' '
		switch {
		case prose && open:
			b.WriteByte(' ')
		case b.Len() > 0:
			b.WriteByte('\n')
		}
		b.WriteString(line)
		open = prose
	}
	return b.String()
}
