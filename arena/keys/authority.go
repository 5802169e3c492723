package keys

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"time"
)

// serverName is the name in every server's certificate. A worker trusts one authority,
// which signs servers of one host only: so the address by which the worker
// reaches it need not be in the certificate, and may change.
const serverName = "host.thera.invalid"

// lifetime is that of an authority and of what it signs. Clocks of workers may be wrong
// by a day.
const lifetime = 10 * 365 * 24 * time.Hour

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func (a *authority) certificate() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// authority reads the ring's authority, and makes it first if it is not there.
func (r *Ring) authority() (*authority, error) {
	name := filepath.Join(r.dir, "ca.pem")
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if text, err = newAuthority(time.Now()); err != nil {
			return nil, fmt.Errorf("making an authority: %w", err)
		}
		if err = create(name, text); err == nil || errors.Is(err, fs.ErrExist) { // or another process was first
			text, err = os.ReadFile(name)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("authority: %w", err)
	}
	a, err := parseAuthority(text)
	if err != nil {
		return nil, fmt.Errorf("%s is no authority: %w", name, err)
	}
	return a, nil
}

// newAuthority makes an authority, valid from a day before now on.
func newAuthority(now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "thera"}, NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(lifetime),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
	}
	cert, err := sign(template, template, key, key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...), nil
}

func sign(template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) ([]byte, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial
	return x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
}

func parseAuthority(text []byte) (*authority, error) {
	cert, rest := pem.Decode(text)
	secret, rest := pem.Decode(rest)
	if cert == nil || secret == nil || cert.Type != "CERTIFICATE" || secret.Type != "PRIVATE KEY" || len(bytes.TrimSpace(rest)) > 0 {
		return nil, errors.New("expected a certificate and its private key")
	}
	a := &authority{}
	var err error
	if a.cert, err = x509.ParseCertificate(cert.Bytes); err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(secret.Bytes)
	if err != nil {
		return nil, err
	}
	var ok bool
	if a.key, ok = key.(*ecdsa.PrivateKey); !ok || !a.key.PublicKey.Equal(a.cert.PublicKey) {
		return nil, errors.New("the private key is not that of the certificate")
	}
	return a, nil
}

// Server is the TLS of a server that workers of this ring believe.
func (r *Ring) Server() (*tls.Config, error) {
	a, err := r.authority()
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	cert, err := sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: serverName}, DNSNames: []string{serverName},
		NotBefore: a.cert.NotBefore, NotAfter: a.cert.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, a.cert, key, a.key)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{Certificate: [][]byte{cert}, PrivateKey: key}}}, nil
}
