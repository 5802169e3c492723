package keys

import (
	"crypto/x509"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"thera/arena/files"
	"thera/engine/gametest"
)

func ring(t *testing.T) *Ring {
	t.Helper()
	r, err := Open(filepath.Join(t.TempDir(), "keys"))
	gametest.OK(t, err)
	return r
}

func invite(t *testing.T, r *Ring, name string) *Invitation {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	gametest.OK(t, r.Invite(name, "127.0.0.1:4222", file))
	i, err := Read(file)
	gametest.OK(t, err)
	return i
}

func public(t *testing.T, i *Invitation) string {
	t.Helper()
	pair, err := i.Key()
	gametest.OK(t, err)
	key, err := pair.PublicKey()
	gametest.OK(t, err)
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
	gametest.OK(t, err)
	nowhere := filepath.Join(t.TempDir(), "none", "lab1") // who could not keep it was not invited
	failed(t, r.Invite("lab1", "x:1", nowhere), "no such file")
	failed(t, r.Revoke("lab1"), "worker lab1 has no key")
	first, other := invite(t, r, "lab1"), invite(t, r, "lab2")
	failed(t, r.Invite("lab1", "x:1", filepath.Join(t.TempDir(), "lab1")), "worker lab1 was invited on ")
	if name, ok := server.Name(public(t, first)); name != "lab1" || !ok || !server.Has(public(t, first)) {
		t.Errorf("%q, %v", name, ok)
	}
	gametest.OK(t, r.Revoke("lab1"))
	second := invite(t, r, "lab1")
	for i, want := range map[*Invitation]bool{first: false, second: true, other: true} {
		if _, ok := server.Name(public(t, i)); ok != want || server.Has(public(t, i)) != want {
			t.Errorf("worker %s: %v", i.Name, ok)
		}
	}
	keys, err := r.List()
	if err != nil || len(keys) != 2 || keys[0].Public != public(t, second) || keys[1].Name != "lab2" {
		t.Errorf("%v, %v", keys, err)
	}
	err = filepath.WalkDir(r.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if err != nil || info.Mode().Perm() != want && runtime.GOOS != "windows" {
			t.Errorf("%s has mode %v, %v", name, info.Mode(), err)
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
}

// What is damaged, or was not written whole, lets nobody in, and is named.
func TestDamagedKeys(t *testing.T) {
	r := ring(t)
	good, bad := public(t, invite(t, r, "good")), public(t, invite(t, r, "bad"))
	for _, text := range []string{"", "{", `{"name":"good","public":"` + good + `"}`, `{"public":"` + bad + `"}`} {
		gametest.OK(t, os.WriteFile(r.file(bad), []byte(text), 0o600))
		if _, ok := r.Name(bad); ok {
			t.Errorf("%q lets a worker in", text)
		}
		keys, err := r.List()
		failed(t, err, bad+".json is not a key, and lets nobody in")
		if name, ok := r.Name(good); !ok || name != "good" || len(keys) != 1 {
			t.Errorf("%q shuts another worker out: %v", text, keys)
		}
	}
	if name, ok := r.Name("../../x"); ok {
		t.Errorf("a path lets %s in", name)
	}
}

func TestInvitationFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lab1.invitation")
	gametest.OK(t, ring(t).Invite("lab1", "127.0.0.1:4222", name))
	failed(t, ring(t).Invite("lab1", "127.0.0.1:4222", name), "lab1.invitation: file exists")
	i, err := Read(name)
	gametest.OK(t, err)
	text, err := os.ReadFile(name)
	gametest.OK(t, err)
	account := "SAANOI6VNA5QBK3Y5GQ6DM3QJGKQBPIDYIQ3FSNTHZ5KPO4TZHMDVCMJTY"
	for _, tt := range []struct{ from, to, want string }{
		{string(text), "", "is not an invitation: unexpected end"},
		{string(text), "results: 3", "is not an invitation: invalid character"},
		{"127.0.0.1:4222", "127.0.0.1", "missing port in address"},
		{"BEGIN CERTIFICATE", "BEGIN CERTIFICAT", "its authority is not a certificate"},
		{i.Seed, "SUAB", "its seed is not the nkey of a user"},
		{i.Seed, account, "its seed is not the nkey of a user"},
	} {
		gametest.OK(t, os.WriteFile(name, []byte(strings.Replace(string(text), tt.from, tt.to, 1)), 0o600))
		_, err := Read(name)
		failed(t, err, tt.want)
		if err != nil && (strings.Contains(err.Error(), i.Seed) || !strings.Contains(err.Error(), name)) {
			t.Errorf("%v", err)
		}
	}
	if runtime.GOOS != "windows" {
		gametest.OK(t, os.Chmod(name, 0o604))
		_, err = Read(name)
		failed(t, err, "can be read by everybody (mode 0604)")
	}
	_, err = Read(filepath.Join(t.TempDir(), "none"))
	failed(t, err, "none: no such file")
}

// A worker believes the servers of the host that invited it, while their certificate is
// valid, and no others.
func TestServersOfOthers(t *testing.T) {
	r, other, old := ring(t), ring(t), ring(t)
	expired, err := newAuthority(time.Now().Add(-lifetime - time.Hour))
	if err == nil {
		err = files.Create(filepath.Join(old.Dir, "ca.pem"), expired, 0o600)
	}
	gametest.OK(t, err)
	for _, tt := range []struct {
		server, invited *Ring
		want            string
	}{
		{r, r, ""},
		{other, r, "certificate signed by unknown authority"},
		{old, old, "certificate has expired"},
	} {
		server, err := tt.server.Server()
		gametest.OK(t, err)
		client, err := invite(t, tt.invited, "to "+tt.want).Client()
		gametest.OK(t, err)
		_, err = server.Certificates[0].Leaf.Verify(x509.VerifyOptions{Roots: client.RootCAs, DNSName: client.ServerName})
		if tt.want != "" {
			failed(t, err, tt.want)
		} else if err != nil {
			t.Error(err)
		}
	}
	gametest.OK(t, os.WriteFile(filepath.Join(r.Dir, "ca.pem"), expired[:len(expired)-40], 0o600))
	_, err = r.Server()
	failed(t, err, "ca.pem is not a certificate of a host")
}
