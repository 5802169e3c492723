package keys

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"

	"github.com/nats-io/nkeys"
)

// Invitation is what a worker needs to play for a host. It is a secret.
type Invitation struct {
	Name      string `json:"name"`      // of the worker
	Address   string `json:"address"`   // of the host: HOST:PORT
	Authority string `json:"authority"` // a certificate in PEM; the server that has it is believed
	Seed      string `json:"seed"`      // an nkey's
}

// Read reads an invitation and checks all of it.
func Read(name string) (*Invitation, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("invitation: %w", err)
	}
	if mode := info.Mode(); mode.IsRegular() && mode.Perm()&0o007 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("%s can be read by everybody (mode %04o), and it has a secret: chmod 600 it, or revoke it", name, mode.Perm())
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("invitation: %w", err)
	}
	var i Invitation
	err = json.Unmarshal(text, &i)
	_, _, address := net.SplitHostPort(i.Address)
	_, authority := i.Client()
	_, seed := i.Key()
	if err = cmp.Or(err, address, authority, seed); err != nil {
		return nil, fmt.Errorf("%s is no invitation: %w", name, err)
	}
	return &i, nil
}

// Key is the worker's key. Errors do not show it.
func (i *Invitation) Key() (nkeys.KeyPair, error) {
	prefix, _, err := nkeys.DecodeSeed([]byte(i.Seed))
	if err != nil || prefix != nkeys.PrefixByteUser {
		return nil, errors.New("its seed is no nkey of a user")
	}
	return nkeys.FromSeed([]byte(i.Seed))
}

// Client is the TLS of a worker that believes only the servers of its host.
func (i *Invitation) Client() (*tls.Config, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(i.Authority)) {
		return nil, errors.New("its authority is no certificate")
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, RootCAs: pool, ServerName: serverName}, nil
}
