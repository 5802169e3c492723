// Package keys makes and keeps the keys by which a host identifies its workers, and a worker
// its host.
//
// A Ring is a folder of the host. It has the certificate of the host's servers, which is made
// once, and the public key of each worker:
//
//	ca.pem               the certificate and its private key
//	workers/PUBLIC.json  one Key
//
// A revoked key is removed. The secret of a worker, its seed, is only in its Invitation, never
// in the ring. An invitation is a file with all that a worker needs to find the host, to
// identify it, and to be identified.
//
// All files have mode 0600. None of them is ever changed. A file that cannot be read is not a key.
//
// The package knows no network and no server. It refuses invitations that everybody can read.
// Callers must check that a name can be part of a subject.
package keys

import (
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nkeys"

	"thera/arena/files"
)

// Ring is the folder of a host. It is safe for concurrent use, even by several processes.
type Ring struct{ Dir string }

// Key is what a host knows of a worker.
type Key struct {
	Name    string    `json:"name"`
	Public  string    `json:"public"` // a user's nkey
	Invited time.Time `json:"invited"`
}

// Open opens a folder, and makes it if it does not exist. "" means the folder of this user.
func Open(dir string) (*Ring, error) {
	config, err := os.UserConfigDir()
	if dir == "" && err != nil {
		return nil, fmt.Errorf("folder of keys: %w (--keys names one)", err)
	}
	if dir == "" {
		dir = filepath.Join(config, "thera", "keys")
	}
	if dir, err = filepath.Abs(dir); err == nil {
		err = os.MkdirAll(filepath.Join(dir, "workers"), 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("folder of keys: %w", err)
	}
	return &Ring{Dir: dir}, nil
}

func (r *Ring) file(public string) string { return filepath.Join(r.Dir, "workers", public+".json") }

// Invite makes the key of a new worker, for a server at address. It writes the invitation to a
// file, which must not exist.
func (r *Ring) Invite(name, address, file string) error {
	keys, _ := r.List() // a file that cannot be read lets nobody in
	if i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name }); i >= 0 {
		return fmt.Errorf("worker %s was invited on %s: revoke it first, or choose another name",
			name, keys[i].Invited.Format(time.DateOnly))
	}
	ca, err := r.authority()
	if err != nil {
		return err
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return fmt.Errorf("making a key: %w", err)
	}
	seed, err := pair.Seed()
	public, failed := pair.PublicKey()
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("making a key: %w", err)
	}
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.Certificate[0]})
	i := &Invitation{Name: name, Address: address, Authority: string(authority), Seed: string(seed)}
	if err := createJSON(file, i); err != nil {
		return err
	}
	return createJSON(r.file(public), &Key{Name: name, Public: public, Invited: time.Now().UTC().Truncate(time.Second)})
}

// Revoke removes a worker's key. Servers that use the ring notice it.
func (r *Ring) Revoke(name string) error {
	keys, _ := r.List()
	err := fmt.Errorf("worker %s has no key", name)
	for _, key := range keys {
		if key.Name == name {
			err = os.Remove(r.file(key.Public))
		}
	}
	return err
}

// List returns all keys by name, with an error for those that cannot be read.
func (r *Ring) List() (keys []Key, err error) {
	entries, err := os.ReadDir(filepath.Join(r.Dir, "workers"))
	for _, entry := range entries {
		key, bad := r.key(strings.TrimSuffix(entry.Name(), ".json"))
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("%s is not a key, and lets nobody in: %w (remove it)", filepath.Join(r.Dir, "workers", entry.Name()), bad))
			continue
		}
		keys = append(keys, *key)
	}
	slices.SortFunc(keys, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return keys, err
}

// Has reports whether the ring has this public key. It is cheaper than Name.
func (r *Ring) Has(public string) bool {
	_, err := os.Stat(r.file(public))
	return err == nil
}

// Name returns the name of the worker with this public key, "" if it has none or was revoked.
func (r *Ring) Name(public string) (name string, ok bool) {
	key, err := r.key(public)
	if err != nil {
		return "", false
	}
	return key.Name, true
}

// key reads a key.
func (r *Ring) key(public string) (*Key, error) {
	if !nkeys.IsValidPublicUserKey(public) {
		return nil, errors.New("its name is not a public key")
	}
	var key Key
	text, err := os.ReadFile(r.file(public))
	if err == nil {
		err = json.Unmarshal(text, &key)
	}
	if err == nil && (key.Public != public || key.Name == "") {
		err = errors.New("it is another key")
	}
	return &key, err
}

// createJSON writes a value to a file, which must not exist.
func createJSON(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return files.Create(name, append(text, '\n'), 0o600)
}
