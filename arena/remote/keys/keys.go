// Package keys makes and keeps the keys by which a host knows its workers, and a worker
// its host.
//
// A Ring is a folder of the host. It has the host's certificate, made once, which its
// servers show, and the public key of each worker:
//
//	ca.pem             the certificate and its private key
//	workers/NAME.json  one Key, revoked ones as well
//
// The secret of a worker, its seed, is in its Invitation and nowhere else: the ring never
// has it. An invitation is a file with all that a worker needs to find the host, to know
// it and to be known.
//
// All files have mode 0600. A file is written under another name and then renamed, so that
// it is complete or missing after a crash. A file that cannot be read is no key.
//
// The package knows no network and no server. It refuses invitations that everybody
// can read, and names that are no part of a subject are its callers' to refuse.
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
	"sync"
	"time"

	"github.com/nats-io/nkeys"
)

// Ring is the folder of a host. It is safe for concurrent use, also by other processes.
type Ring struct {
	Dir string

	mu    sync.Mutex
	read  time.Time         // when names were read
	stamp time.Time         // of the folder then
	names map[string]string // of workers that may come, by public key
}

// Key is what a host knows of a worker.
type Key struct {
	Name    string    `json:"name"`
	Public  string    `json:"public"` // a user's nkey
	Invited time.Time `json:"invited"`
	Revoked time.Time `json:"revoked,omitzero"`
}

// Open opens a folder, and makes it if it is not there. "" is that of this user.
func Open(dir string) (*Ring, error) {
	if dir == "" {
		config, err := os.UserConfigDir()
		if err != nil {
			return nil, fmt.Errorf("folder of keys: %w (--keys names one)", err)
		}
		dir = filepath.Join(config, "thera", "keys")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("folder of keys: %w", err)
	}
	r := &Ring{Dir: dir}
	if err := os.MkdirAll(r.workers(), 0o700); err != nil {
		return nil, fmt.Errorf("folder of keys: %w", err)
	}
	return r, nil
}

func (r *Ring) workers() string         { return filepath.Join(r.Dir, "workers") }
func (r *Ring) file(name string) string { return filepath.Join(r.workers(), name+".json") }

// Invite makes the key of a new worker, for a server at address, and enters it once
// save has kept the invitation.
func (r *Ring) Invite(name, address string, save func(*Invitation) error) error {
	switch key, err := r.key(name); {
	case err == nil && key.Revoked.IsZero():
		return fmt.Errorf("worker %s was invited on %s: revoke it first, or choose another name",
			name, key.Invited.Format(time.DateOnly))
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	}
	ca, err := r.authority()
	if err != nil {
		return err
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return fmt.Errorf("making a key: %w", err)
	}
	defer pair.Wipe()
	seed, err := pair.Seed()
	public, failed := pair.PublicKey()
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("making a key: %w", err)
	}
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.Certificate[0]})
	i := &Invitation{Version: invitationVersion, Name: name, Address: address, Authority: string(authority), Seed: string(seed)}
	if err := save(i); err != nil {
		return err
	}
	return r.enter(&Key{Name: name, Public: public, Invited: time.Now().UTC().Truncate(time.Second)})
}

// Revoke ends a worker's key. Servers that use the ring notice it.
func (r *Ring) Revoke(name string) error {
	key, err := r.key(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("worker %s was never invited", name)
	case err != nil:
		// What cannot be read lets nobody in, and its removal loses nothing.
		return errors.Join(err, os.Remove(r.file(name)))
	case !key.Revoked.IsZero():
		return fmt.Errorf("worker %s was revoked on %s", name, key.Revoked.Format(time.DateOnly))
	}
	key.Revoked = time.Now().UTC().Truncate(time.Second)
	return r.enter(key)
}

func (r *Ring) enter(key *Key) error {
	text, err := json.Marshal(key)
	if err != nil {
		return fmt.Errorf("key of worker %s: %w", key.Name, err)
	}
	return write(r.file(key.Name), append(text, '\n'))
}

// key reads the key of a worker.
func (r *Ring) key(name string) (*Key, error) {
	text, err := os.ReadFile(r.file(name))
	if err != nil {
		return nil, fmt.Errorf("key of worker %s: %w", name, err)
	}
	var key Key
	if err := json.Unmarshal(text, &key); err != nil {
		return nil, fmt.Errorf("%s: %w", r.file(name), err)
	}
	if key.Name != name || !nkeys.IsValidPublicUserKey(key.Public) {
		return nil, fmt.Errorf("%s is no key of worker %s", r.file(name), name)
	}
	return &key, nil
}

// List returns all keys by name, with an error for those that cannot be read.
func (r *Ring) List() ([]Key, error) {
	entries, err := os.ReadDir(r.workers())
	if err != nil {
		return nil, fmt.Errorf("folder of keys: %w", err)
	}
	var keys []Key
	var errs []error
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".json")
		if !ok {
			continue // one that was never finished
		}
		key, err := r.key(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		keys = append(keys, *key)
	}
	slices.SortFunc(keys, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return keys, errors.Join(errs...)
}

// settled is how old a change of a folder is that no other change hides.
const settled = 2 * time.Second

// Name is the worker with this public key, if it was invited and not revoked. It reads
// the folder again when it has changed: each file that is written there changes it.
func (r *Ring) Name(public string) (name string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	info, err := os.Stat(r.workers())
	if err != nil {
		r.names = nil
		return "", false
	}
	if stamp := info.ModTime(); r.names == nil || !stamp.Equal(r.stamp) || r.read.Sub(stamp) < settled {
		r.read, r.stamp, r.names = time.Now(), stamp, map[string]string{}
		keys, _ := r.List() // what cannot be read lets nobody in
		for _, key := range keys {
			if key.Revoked.IsZero() {
				r.names[key.Public] = key.Name
			}
		}
	}
	name, ok = r.names[public]
	return name, ok
}
