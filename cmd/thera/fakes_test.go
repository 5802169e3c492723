package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"thera/engine/all"

	"github.com/nats-io/nats-server/v2/server"

	"thera/arena/proc"
	"thera/arena/remote"
	"thera/cmd/faultkit/hopper"
)

// fakeEngine speaks enough of Santorini's protocol for a bad engine. on
// answers set_position.
func fakeEngine(on func(position string)) {
	fmt.Println(`{"type":"started"}`)
	scan := bufio.NewScanner(os.Stdin)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		word, rest, _ := strings.Cut(scan.Text(), " ")
		switch word {
		case "set_position":
			on(rest)
		case "ping":
			fmt.Println("pong")
		case "quit":
			return
		}
	}
}

func mute(string) {}

func crash(string) {
	fmt.Fprintln(os.Stderr, "Traceback:\x1b[31m KeyError")
	os.Exit(7)
}

// moody answers late while the file exists that the variable LATE names: after the time
// that it holds. If it begins with "once", it removes it.
func moody() {
	fakeEngine(func(position string) {
		file := os.Getenv("LATE") // an argument would name a file whose change is noticed
		if text, err := os.ReadFile(file); err == nil {
			after, once := strings.CutPrefix(strings.TrimSpace(string(text)), "once ")
			if once {
				_ = os.Remove(file)
			}
			late, _ := time.ParseDuration(after)
			time.Sleep(late)
		}
		first(position, "", "")
	})
}

// brittle is the built-in engine until a tower has two levels. It notes what it reads in the
// file that the variable SEEN names.
func brittle() {
	seen := io.Writer(io.Discard)
	if name := os.Getenv("SEEN"); name != "" {
		file, err := os.Create(name) // of this process alone
		if err != nil {
			panic(err)
		}
		seen = file
	}
	in, to := io.Pipe()
	go func() {
		lines := bufio.NewReader(os.Stdin)
		for {
			line, err := lines.ReadString('\n')
			_, _ = io.WriteString(seen, line)
			if board, found := strings.CutPrefix(line, "set_position "); found && strings.Contains(board[:25], "2") {
				fmt.Fprintln(os.Stderr, "panic: a tower of two")
				os.Exit(7)
			}
			_, _ = io.WriteString(to, line)
			if err != nil {
				to.Close()
				return
			}
		}
	}()
	serveOwn("santorini", in)
}

// stolen is thera on a machine whose processors other guests take for themselves
// all the time.
func stolen() {
	os.Exit(execute(newRoot(guests{time.Now()}), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// unknowing is thera on a machine that says nothing about itself, so that nothing is void.
func unknowing() {
	os.Exit(execute(newRoot(unknown{}), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

type unknown struct{}

func (unknown) Usage([]int) (u proc.Usage, ok bool) { return u, false }

type guests struct{ begun time.Time }

func (g guests) Usage([]int) (proc.Usage, bool) {
	return proc.Usage{CPUs: 2, Stolen: 2 * time.Since(g.begun)}, true
}

// cheat answers that nothing has changed.
func cheat(position string) {
	fmt.Printf("{\"type\":\"best_move\",\"start_state\":%q,\"next_state\":%q,\"trigger\":\"end_of_line\",\"meta\":{\"score\":0,\"calculated_depth\":1}}\n", position, position)
}

// tardy answers the first questions of each process long after their limit: more of them
// than any point of a check asks.
func tardy() {
	late := 6
	fakeEngine(func(position string) {
		if late > 0 {
			late--
			time.Sleep(600 * time.Millisecond)
		}
		first(position, "", "")
	})
}

// otherReady says another word than the one that its protocol has for ready.
func otherReady() {
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// garbler answers with a line that is not JSON, and complains in colours.
func garbler(string) {
	fmt.Fprintln(os.Stderr, "Traceback:\x1b[31m KeyError")
	fmt.Println("{'type': 'best_move', 'next_state': '\x1b[2J'}")
}

// slowHex is a bot whose language takes two seconds to start.
func slowHex() {
	time.Sleep(2 * time.Second)
	serveOwn("hex", os.Stdin, append([]string{"--bot", "random"}, os.Args[1:]...)...)
}

// serveOwn is the built-in engine of a game.
func serveOwn(name string, in io.Reader, args ...string) {
	if err := all.Player(name).Serve(context.Background(), args, in, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// relayed is the built-in engine of Santorini, which reads what change makes of each line.
func relayed(change func(line string) string) {
	in, to := io.Pipe()
	go func() {
		scan := bufio.NewScanner(os.Stdin)
		scan.Buffer(nil, 1<<20)
		for scan.Scan() {
			fmt.Fprintln(to, change(scan.Text()))
		}
		to.Close()
	}()
	serveOwn("santorini", in)
}

var nodesWord = regexp.MustCompile(` nodes [0-9]+`)

// weaker is an engine with a few nodes, whatever it is allowed.
func weaker() {
	relayed(func(line string) string { return nodesWord.ReplaceAllString(line, " nodes 10") })
}

// toy is an engine that searches at most as many nodes as a file says, and may wait before
// each search: toy FILE, which has "200" or "200 5ms".
func toy() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	nodes, wait, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	delay, _ := time.ParseDuration(wait)
	relayed(func(line string) string {
		if nodesWord.MatchString(line) {
			time.Sleep(delay)
		}
		return nodesWord.ReplaceAllString(line, " nodes "+nodes)
	})
}

// tunable is an engine with an option peak, which is best at 30: each 12 away from it
// halves the nodes of its search twice.
func tunable() {
	nodes := 300
	relayed(func(line string) string {
		if text, found := strings.CutPrefix(line, "set_option peak "); found {
			peak, _ := strconv.ParseFloat(text, 64)
			nodes = int(300*math.Pow(4, -math.Pow((peak-30)/12, 2))) + 1
			return ""
		}
		return nodesWord.ReplaceAllString(line, fmt.Sprintf(" nodes %d", nodes))
	})
}

// gated is an engine that stops at a position that it is asked about until a file exists:
// gated NUMBER, with the file in the variable GATE. An argument would name a file whose
// change is noticed.
func gated() {
	asked := 0
	relayed(func(line string) string {
		if strings.Contains(line, "set_position") {
			asked++
		}
		for fmt.Sprint(asked) == os.Args[1] {
			if _, err := os.Stat(os.Getenv("GATE")); err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		return line
	})
}

// thief is an engine that takes a file away and leaves: thief FILE.
func thief() {
	if err := os.Remove(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(3)
}

// older answers older POSITION with older NEXT, and any other position with its first
// move.
func older() {
	fakeEngine(func(position string) { first(position, os.Args[1], os.Args[2]) })
}

// first answers with a position's first move, but to special with next.
func first(position, special, next string) {
	g, err := findGame("santorini")
	if err != nil {
		panic(err)
	}
	pos, err := g.Parse(position)
	if err != nil {
		panic(err)
	}
	if position != special {
		next = pos.Moves(pos.ToMove().Only())[0]
	}
	fmt.Printf("{\"type\":\"best_move\",\"start_state\":%q,\"next_state\":%q,\"next_move\":[],\"trigger\":\"end_of_line\",\"meta\":{\"score\":0,\"calculated_depth\":1}}\n", position, next)
}

// newGod is an engine with a god that thera does not know.
func newGod(fault string) {
	if err := hopper.Serve(fault, os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// natsd is a NATS server as a process: natsd HOST:PORT.
func natsd() {
	s, err := remote.Serve(os.Args[1], nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(s.Address())
	select {}
}

// natsmember is a NATS server that is one of a cluster: natsmember NAME HOST:PORT
// CLUSTERHOST:PORT ROUTES.
func natsmember() {
	fail := func(err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var at [2]netip.AddrPort
	for i, text := range os.Args[2:4] {
		var err error
		if at[i], err = netip.ParseAddrPort(text); err != nil {
			fail(err)
		}
	}
	s, err := server.NewServer(&server.Options{
		ServerName: os.Args[1], Host: at[0].Addr().String(), Port: int(at[0].Port()),
		Cluster: server.ClusterOpts{Name: "thera", Host: at[1].Addr().String(), Port: int(at[1].Port())},
		Routes:  server.RoutesFromStr(os.Args[4]), NoSigs: true, NoLog: true,
	})
	if err != nil {
		fail(err)
	}
	s.Start()
	s.WaitForShutdown()
}

// pyratBot is an AI of PyRat with some fault: pyratbot KIND. It cycles through UP, RIGHT, DOWN
// and LEFT.
func pyratBot() {
	kind, turn, goes, recovered, held := os.Args[1], -1, 0, false, ""
	answers := map[string]string{
		"pyrat": "id name " + kind + "\npyratready", "startpreprocessing": "preprocessingdone", "isready": "readyok", "ready?": "ready",
	}
	scan := bufio.NewScanner(os.Stdin)
	for scan.Scan() {
		word, _, _ := strings.Cut(scan.Text(), " ")
		if kind == "deaf" && goes > 2 {
			continue
		}
		if answer := answers[word]; answer != "" {
			fmt.Println(answer)
		}
		switch word {
		case "newgame":
			turn, goes = -1, 0
		case "recover":
			recovered = true
		case "moves":
			turn++
		case "stop": // after its time, whatever that was
			fmt.Print(held)
			held = ""
		case "go":
			goes++
			move := "move " + []string{"UP", "RIGHT", "DOWN", "LEFT"}[max(turn, 0)%4] + "\n"
			switch {
			case kind == "talker":
				talk(goes)
			case goes == 3 && (kind == "crasher" || kind == "fragile" && !recovered):
				os.Exit(7)
			case goes == 3 && kind == "deaf":
				continue
			case turn == 1 && kind == "garbled":
				move = "move SIDEWAYS\n"
			case turn%3 == 2 && kind == "late":
				move, held = "", move
			}
			fmt.Print(move)
		}
	}
}

// talk says many lines of all nine kinds of info before the n-th move.
func talk(n int) {
	for i := range 100 {
		fmt.Printf("info nodes %d depth %d time %d currmove DOWN\n", i, i, i)
		fmt.Println("info string", i, strings.Repeat("z", 1000))
	}
	fmt.Printf("info nodes %d depth %d time %d\n", 1000*n, n, 10*n)
	fmt.Println("info currmove UP currline UP LEFT score -2.5")
	fmt.Println("info pv UP RIGHT RIGHT target (3, 4)")
	fmt.Println("info string on my way")
}
