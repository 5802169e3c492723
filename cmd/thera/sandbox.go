package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/sandbox"
)

// boxFlags are the keys of an engine's sandbox, for commands without a match
// file.
type boxFlags struct {
	mode    string
	read    []string
	write   []string
	network bool
}

func (f *boxFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.mode, "sandbox", string(sandbox.Auto), "auto: what this machine can do; require: all of it; off: none")
	cmd.Flags().StringArrayVar(&f.read, "read", nil, "further `path` that engines may read (repeatable)")
	cmd.Flags().StringArrayVar(&f.write, "write", nil, "`path` that engines may change (repeatable)")
	cmd.Flags().BoolVar(&f.network, "network", false, "engines may use the network")
}

// boxes are those of the engines. What does not hold is written to errOut.
func (f *boxFlags) boxes(errOut io.Writer, specs ...*arena.EngineSpec) (map[string]*sandbox.Box, error) {
	if err := checkMode(f.mode); err != nil {
		return nil, err
	}
	var engines []arena.EngineSpec
	for _, spec := range specs {
		spec.Sandbox, spec.Network = f.mode, f.network
		for to, from := range map[*[]string][]string{&spec.Read: f.read, &spec.Write: f.write} {
			for _, path := range from {
				abs, err := filepath.Abs(path)
				if err == nil {
					_, err = os.Stat(abs)
				}
				if err != nil {
					return nil, fmt.Errorf("--read and --write: %w", err)
				}
				*to = append(*to, abs)
			}
		}
		engines = append(engines, *spec)
	}
	boxes, report, err := sandbox.Boxes(engines)
	if err == nil && len(report.Missing()) > 0 {
		tell(errOut, "sandbox: %v", report)
	}
	return boxes, err
}

func checkMode(mode string) error {
	switch sandbox.Mode(mode) {
	case sandbox.Auto, sandbox.Require, sandbox.Off:
		return nil
	}
	return fmt.Errorf("--sandbox %q: want auto, require or off", mode)
}
