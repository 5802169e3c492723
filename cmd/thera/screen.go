package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/template"

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
	usage := template.Must(template.New("usage").Funcs(template.FuncMap{
		"listed": func(cmd *cobra.Command) string {
			line := fmt.Sprintf("  %-*s %s", cmd.NamePadding(), cmd.Name(), cmd.Short)
			return report.Wrap(line, columns(root), cmd.NamePadding()+1)
		},
		"flags": func(f *pflag.FlagSet) string { return f.FlagUsagesWrapped(columns(root)) },
	}).Parse(usageText))
	root.SetUsageFunc(func(cmd *cobra.Command) error { return usage.Execute(cmd.OutOrStderr(), cmd) })
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		text := report.Wrap(filled(cmp.Or(cmd.Long, cmd.Short)), columns(root), 0)
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s", text, cmd.UsageString())
	})
}

const usageText = `Usage:{{if .Runnable}}
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
{{flags .InheritedFlags}}{{end}}`

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
