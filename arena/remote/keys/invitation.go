package keys

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/nats-io/nkeys"

	"thera/arena/files"
)

// Invitation is what a worker needs to play for a host. It is a secret.
type Invitation struct {
	Name      string `json:"name"`      // of the worker
	Address   string `json:"address"`   // of the host: HOST:PORT
	Authority string `json:"authority"` // certificate in PEM of the only server that is trusted
	Seed      string `json:"seed"`      // of an nkey
}

// Read reads and checks an invitation.
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
		return nil, fmt.Errorf("%s is not an invitation: %w", name, err)
	}
	return &i, nil
}

// Key returns the worker's key. Errors do not show it.
func (i *Invitation) Key() (nkeys.KeyPair, error) {
	prefix, _, err := nkeys.DecodeSeed([]byte(i.Seed))
	if err != nil || prefix != nkeys.PrefixByteUser {
		return nil, errors.New("its seed is not the nkey of a user")
	}
	return nkeys.FromSeed([]byte(i.Seed))
}

// Client returns the TLS configuration of a worker, which trusts only the servers of its host.
func (i *Invitation) Client() (*tls.Config, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(i.Authority)) {
		return nil, errors.New("its authority is not a certificate")
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, RootCAs: pool, ServerName: serverName}, nil
}

// serverName is the name in every host's certificate. A worker trusts one certificate, so the
// host's address need not be in it, and may change.
const serverName = "host.thera.invalid"

// lifetime is the lifetime of a certificate. Clocks of workers may be wrong by a day.
const lifetime = 10 * 365 * 24 * time.Hour

// authority reads the host's certificate and its key, and makes them first if they do not exist.
func (r *Ring) authority() (*tls.Certificate, error) {
	name := filepath.Join(r.Dir, "ca.pem")
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		text, err := newAuthority(time.Now())
		if err == nil {
			err = files.Create(name, text, 0o600)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) { // another process was first
			return nil, fmt.Errorf("making a certificate: %w", err)
		}
	}
	pair, err := tls.LoadX509KeyPair(name, name)
	if err == nil {
		err = pair.Leaf.VerifyHostname(serverName)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not a certificate of a host: %w", name, err)
	}
	return &pair, nil
}

// newAuthority makes a certificate, valid from yesterday on, and its key.
func newAuthority(now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		DNSNames: []string{serverName}, NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(lifetime),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	secret, failed := x509.MarshalPKCS8PrivateKey(key)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	text = append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...)
	return text, errors.Join(err, failed)
}

// Server returns the TLS configuration of a server that workers of this ring trust.
func (r *Ring) Server() (*tls.Config, error) {
	pair, err := r.authority()
	if err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{*pair}}, nil
}
