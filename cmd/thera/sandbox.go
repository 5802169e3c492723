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

// engineFlags are keys of an engine, for commands without a match file.
type engineFlags struct {
	protocol string
	mode     string
	read     []string
	write    []string
	network  bool
}

func (f *engineFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.protocol, "protocol", "auto", "dialect of the game's protocol")
	sandboxFlag(cmd, &f.mode, string(sandbox.Auto))
	cmd.Flags().StringArrayVar(&f.read, "read", nil, "further `path` that engines may read (repeatable)")
	cmd.Flags().StringArrayVar(&f.write, "write", nil, "`path` that engines may change (repeatable)")
	cmd.Flags().BoolVar(&f.network, "network", false, "engines may use the network")
}

// boxes are those of the engines. What does not hold is written to errOut.
func (f *engineFlags) boxes(errOut io.Writer, specs ...*arena.EngineSpec) (map[string]*sandbox.Box, error) {
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
