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

// showHelp makes help texts fit. The texts in the code may have any width:
// paragraphs are filled, and indented lines stay as they are.
func showHelp(root *cobra.Command) {
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		_, err := io.WriteString(cmd.OutOrStderr(), usage(cmd, columns(cmd)))
		return err
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		text := cmd.Long
		if text == "" {
			text = cmd.Short
		}
		width := columns(cmd)
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s", report.Wrap(filled(text), width, 0), usage(cmd, width))
	})
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

// usage lists what a command takes.
func usage(cmd *cobra.Command, width int) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nAvailable Commands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				line := fmt.Sprintf("  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
				b.WriteString(report.Wrap(line, width, sub.NamePadding()+1) + "\n")
			}
		}
	}
	for _, group := range []struct {
		title string
		flags *pflag.FlagSet
	}{{"Flags", cmd.LocalFlags()}, {"Global Flags", cmd.InheritedFlags()}} {
		if group.flags.HasAvailableFlags() {
			fmt.Fprintf(&b, "\n%s:\n%s", group.title, group.flags.FlagUsagesWrapped(width))
		}
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more information about a command.\n", cmd.CommandPath())
	}
	return b.String()
}
