package keys

import (
	"bufio"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// writerVar makes this program the writer of TestKilledWriter.
const writerVar = "THERA_TEST_WRITER"

func TestMain(m *testing.M) {
	if name := os.Getenv(writerVar); name != "" {
		writeAgain(name)
	}
	os.Exit(m.Run())
}

func ring(t *testing.T) *Ring {
	t.Helper()
	r, err := Open(filepath.Join(t.TempDir(), "keys"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func invite(t *testing.T, r *Ring, name string) *Invitation {
	t.Helper()
	var got *Invitation
	if err := r.Invite(name, "127.0.0.1:4222", func(i *Invitation) error { got = i; return nil }); err != nil {
		t.Fatal(err)
	}
	return got
}

func public(t *testing.T, i *Invitation) string {
	t.Helper()
	pair, err := i.Key()
	if err != nil {
		t.Fatal(err)
	}
	key, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func failed(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// A key lets a worker in from its invitation until it is revoked, also in another
// process's ring of the same folder, and the folder never has its seed.
func TestRing(t *testing.T) {
	r := ring(t)
	server, err := Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full") // who could not keep it was not invited
	failed(t, r.Invite("lab1", "x:1", func(*Invitation) error { return full }), "the disk is full")
	failed(t, r.Revoke("lab1"), "worker lab1 was never invited")
	first := invite(t, r, "lab1")
	other := invite(t, r, "lab2")
	failed(t, r.Invite("lab1", "x:1", func(*Invitation) error { return nil }), "worker lab1 was invited on ")
	if name, ok := server.Name(public(t, first)); name != "lab1" || !ok {
		t.Errorf("%q, %v", name, ok)
	}
	if err := r.Revoke("lab1"); err != nil {
		t.Fatal(err)
	}
	if name, ok := server.Name(public(t, first)); ok {
		t.Errorf("revoked, and still %s", name)
	}
	failed(t, r.Revoke("lab1"), "worker lab1 was revoked on ")
	second := invite(t, r, "lab1")
	for i, want := range map[*Invitation]bool{first: false, second: true, other: true} {
		if _, ok := server.Name(public(t, i)); ok != want {
			t.Errorf("worker %s: %v", i.Name, ok)
		}
	}
	keys, err := r.List()
	if err != nil || len(keys) != 2 || keys[0].Public != public(t, second) || keys[1].Name != "lab2" {
		t.Errorf("%v, %v", keys, err)
	}
	for i := range 5 { // changes that follow each other faster than clocks of file systems
		last := invite(t, r, fmt.Sprint("w", i))
		if _, ok := server.Name(public(t, last)); !ok {
			t.Errorf("worker %d is not known", i)
		}
	}
	err = filepath.WalkDir(r.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want && runtime.GOOS != "windows" {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		if d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(name)
		for _, i := range []*Invitation{first, second, other} {
			if strings.Contains(string(text), i.Seed) {
				t.Errorf("%s has the seed of %s", name, i.Name)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := os.RemoveAll(r.Dir); err != nil {
		t.Fatal(err)
	}
	if _, ok := server.Name(public(t, other)); ok {
		t.Error("a folder that is gone lets workers in")
	}
}

// What is damaged lets nobody in, is named, and can be revoked.
func TestDamagedKeys(t *testing.T) {
	r := ring(t)
	good, bad := invite(t, r, "good"), invite(t, r, "bad")
	for _, text := range []string{"", "{", `{"name":"good","public":"` + public(t, bad) + `"}`, `{"name":"bad","public":"UABC"}`} {
		if err := os.WriteFile(r.file("bad"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r.stamp = time.Time{} // written in place, as thera never does
		if _, ok := r.Name(public(t, bad)); ok {
			t.Errorf("%q lets a worker in", text)
		}
		if name, ok := r.Name(public(t, good)); !ok || name != "good" {
			t.Errorf("%q shuts another worker out", text)
		}
		keys, err := r.List()
		failed(t, err, "bad.json")
		if len(keys) != 1 {
			t.Errorf("%q: %v", text, keys)
		}
	}
	failed(t, r.Revoke("bad"), "bad.json")
	if _, err := r.List(); err != nil {
		t.Error(err)
	}
}

func TestInvitationFiles(t *testing.T) {
	i := invite(t, ring(t), "lab1")
	dir := t.TempDir()
	name := filepath.Join(dir, "lab1.invitation")
	if err := i.Write(name); err != nil {
		t.Fatal(err)
	}
	failed(t, i.Write(name), "lab1.invitation exists")
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	got, err := Read(name)
	if err != nil || *got != *i {
		t.Errorf("%v, %v", got, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left over: %v, %v", left, err)
	}
	text, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	account := "SAANOI6VNA5QBK3Y5GQ6DM3QJGKQBPIDYIQ3FSNTHZ5KPO4TZHMDVCMJTY"
	for _, tt := range []struct{ from, to, want string }{
		{string(text), "", "is no invitation: unexpected end"},
		{string(text), "results: 3", "is no invitation: invalid character"},
		{`"thera_invitation":1`, `"thera_invitation":9`, "it has version 9, expected 1"},
		{"127.0.0.1:4222", "127.0.0.1", `address "127.0.0.1": expected HOST:PORT`},
		{"BEGIN CERTIFICATE", "BEGIN CERTIFICAT", "its authority is no certificate"},
		{i.Seed, "SUAB", "its seed is no nkey of a user"},
		{i.Seed, account, "its seed is no nkey of a user"},
	} {
		if err := os.WriteFile(name, []byte(strings.Replace(string(text), tt.from, tt.to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(name)
		failed(t, err, tt.want)
		if err != nil && (strings.Contains(err.Error(), i.Seed) || !strings.Contains(err.Error(), name)) {
			t.Errorf("%v", err)
		}
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(name, 0o604); err != nil {
			t.Fatal(err)
		}
		_, err = Read(name)
		failed(t, err, "can be read by everybody (mode 0604)")
	}
	_, err = Read(filepath.Join(dir, "none"))
	failed(t, err, "none: no such file")
}

// A worker believes the servers of the host that invited it, while their certificate is
// valid, and no others.
func TestServersOfOthers(t *testing.T) {
	r, other, old := ring(t), ring(t), ring(t)
	expired, err := newAuthority(time.Now().Add(-lifetime - time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if err := create(filepath.Join(old.Dir, "ca.pem"), expired); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		server, invited *Ring
		want            string
	}{
		{r, r, ""},
		{other, r, "certificate signed by unknown authority"},
		{old, old, "certificate has expired"},
	} {
		server, err := tt.server.Server()
		if err != nil {
			t.Fatal(err)
		}
		client, err := invite(t, tt.invited, fmt.Sprintf("w%p", tt.server)).Client()
		if err != nil {
			t.Fatal(err)
		}
		_, err = server.Certificates[0].Leaf.Verify(x509.VerifyOptions{Roots: client.RootCAs, DNSName: client.ServerName})
		if tt.want != "" {
			failed(t, err, tt.want)
		} else if err != nil {
			t.Error(err)
		}
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "ca.pem"), expired[:len(expired)-40], 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = r.Server()
	failed(t, err, "ca.pem is no certificate of a host")
}

// writeAgain writes two texts into a file in turn, and says so, until it is killed.
func writeAgain(name string) {
	for n := 0; ; n++ {
		if err := write(name, fmt.Appendf(nil, "%s\n", strings.Repeat(fmt.Sprint(n%2), 4000))); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("written")
	}
}

// Whenever a writer is killed, the file is whole.
func TestKilledWriter(t *testing.T) {
	name := filepath.Join(t.TempDir(), "key.json")
	for n := range 5 {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), writerVar+"="+name)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 3 + n {
			if !lines.Scan() || lines.Text() != "written" {
				t.Fatal(lines.Text())
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // killed
		text, err := os.ReadFile(name)
		if s := string(text); err != nil || s != strings.Repeat("0", 4000)+"\n" && s != strings.Repeat("1", 4000)+"\n" {
			t.Fatalf("half written: %d bytes, %v", len(s), err)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}
