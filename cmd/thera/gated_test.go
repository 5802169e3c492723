package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// gated is the built-in Santorini engine, which stops at the third position that it
// is asked about until a file exists: gated FILE.
func gated() {
	g, err := findGame("santorini")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	in, out := io.Pipe()
	go func() {
		asked := 0
		lines := bufio.NewReader(os.Stdin)
		for {
			line, err := lines.ReadString('\n')
			if strings.Contains(line, "set_position") {
				asked++
			}
			for asked == 3 {
				if _, err := os.Stat(os.Args[1]); err == nil {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			_, _ = io.WriteString(out, line)
			if err != nil {
				out.Close()
				return
			}
		}
	}()
	if err := g.Serve(context.Background(), nil, in, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
