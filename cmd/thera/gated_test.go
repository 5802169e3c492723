package main

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// gated is the built-in Santorini engine, which stops at a position that it is asked
// about until a file exists: gated NUMBER, with the file in the variable GATE. An argument
// would name a file whose change is noticed.
func gated() {
	last, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
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
			for asked == last {
				if _, err := os.Stat(os.Getenv("GATE")); err == nil {
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
	serveOwn("santorini", in)
}
