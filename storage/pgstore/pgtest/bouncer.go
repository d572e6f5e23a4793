package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// bouncerConfig is the configuration of a PgBouncer: the server's host, port and user, the
// bouncer's port and its mode.
const bouncerConfig = `[databases]
* = host=%s port=%s user=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = %s
max_client_conn = 500
`

// Bounce starts a PgBouncer with a pool_mode in front of a database, until the end of the
// test, and returns the address through it. It skips the test where PgBouncer is not
// installed.
func Bounce(t testing.TB, address, mode string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skip("needs PgBouncer: install the package pgbouncer")
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if _, secret := u.User.Password(); secret {
		t.Skip("needs a server that asks for no password")
	}
	// Not t.TempDir: as for a cluster.
	folder, err := os.MkdirTemp("", "lasca-bouncer-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	port := freePort(t)
	config := filepath.Join(folder, "pgbouncer.ini")
	serverPort := u.Port()
	if serverPort == "" {
		serverPort = "5432"
	}
	if err := os.WriteFile(config, fmt.Appendf(nil, bouncerConfig, u.Hostname(), serverPort, u.User.Username(), port, mode), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{program, "-q", config}
	if os.Getuid() == 0 { // which PgBouncer refuses
		if out, err := exec.Command("chown", "-R", "postgres", folder).CombinedOutput(); err != nil {
			t.Skipf("needs the user postgres, since root may not run a PgBouncer: %s", out)
		}
		args = append([]string{"setpriv", "--reuid=postgres", "--clear-groups", "--pdeathsig=KILL"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	u.Host = fmt.Sprintf("127.0.0.1:%d", port)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		c, err := pgx.Connect(ctx, u.String())
		if err == nil {
			_ = c.Close(ctx)
			return u.String()
		}
		select {
		case <-ended:
			t.Fatalf("PgBouncer ended: %s", said.String())
		case <-ctx.Done():
			t.Fatalf("no PgBouncer in time: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
