package sandbox

import (
	"encoding/binary"
	"errors"
)

// order is what an init is to start.
type order struct {
	path string
	argv []string
	env  []string
	dir  string
}

// confines are the restrictions under which an init starts a program. It sets
// them up ahead of the order.
type confines struct {
	cpus   []int
	read   []string
	list   []string
	write  []string
	tmp    string   // mount point of the private temporary folder, "" without one
	tmps   []string // further folders that are replaced by it
	inet   bool     // IP sockets are allowed
	procs  int      // most processes and threads, 0 = no limit
	abi    int      // of Landlock, 0 = not used
	filter bool     // of system calls
	spaces bool     // the init has namespaces of its own
	fresh  bool     // it has a /proc of its own
	frozen bool     // its mounts are read-only
	free   bool     // nothing is restricted but the cores

	measured bool // its memory is limited, and not by the kernel
}

// pack writes values one after the other. Strings are those of a program
// start and may have any bytes.
type pack []byte

func (p *pack) num(n int) { *p = binary.AppendUvarint(*p, uint64(n)) }

func (p *pack) flag(b bool) {
	n := 0
	if b {
		n = 1
	}
	p.num(n)
}

func (p *pack) text(s string) {
	p.num(len(s))
	*p = append(*p, s...)
}

func (p *pack) texts(list []string) {
	p.num(len(list))
	for _, s := range list {
		p.text(s)
	}
}

// unpack reads what pack wrote.
type unpack struct {
	rest []byte
	err  error
}

var errShort = errors.New("an order that is cut short")

func (u *unpack) num() int {
	n, size := binary.Uvarint(u.rest)
	if size <= 0 {
		u.err, u.rest = errShort, nil
		return 0
	}
	u.rest = u.rest[size:]
	return int(n)
}

func (u *unpack) flag() bool { return u.num() != 0 }

func (u *unpack) text() string {
	n := u.num()
	if n < 0 || n > len(u.rest) {
		u.err, u.rest = errShort, nil
		return ""
	}
	s := string(u.rest[:n])
	u.rest = u.rest[n:]
	return s
}

func (u *unpack) texts() []string {
	var list []string
	for n := u.num(); n > 0 && u.err == nil; n-- {
		list = append(list, u.text())
	}
	return list
}

func (o *order) bytes() []byte {
	var p pack
	p.text(o.path)
	p.texts(o.argv)
	p.texts(o.env)
	p.text(o.dir)
	return p
}

func readOrder(text []byte) (*order, error) {
	u := unpack{rest: text}
	o := &order{path: u.text(), argv: u.texts(), env: u.texts(), dir: u.text()}
	return o, u.err
}

func (c *confines) bytes() []byte {
	var p pack
	p.num(len(c.cpus))
	for _, cpu := range c.cpus {
		p.num(cpu)
	}
	p.texts(c.read)
	p.texts(c.list)
	p.texts(c.write)
	p.text(c.tmp)
	p.texts(c.tmps)
	p.num(c.procs)
	p.num(c.abi)
	for _, b := range []bool{c.inet, c.filter, c.spaces, c.fresh, c.frozen, c.free, c.measured} {
		p.flag(b)
	}
	return p
}

func readConfines(text []byte) (*confines, error) {
	u := unpack{rest: text}
	c := &confines{}
	for n := u.num(); n > 0 && u.err == nil; n-- {
		c.cpus = append(c.cpus, u.num())
	}
	c.read, c.list, c.write, c.tmp, c.tmps = u.texts(), u.texts(), u.texts(), u.text(), u.texts()
	c.procs, c.abi = u.num(), u.num()
	for _, flag := range []*bool{&c.inet, &c.filter, &c.spaces, &c.fresh, &c.frozen, &c.free, &c.measured} {
		*flag = u.flag()
	}
	return c, u.err
}
