package pgtest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// NewBouncer starts a PgBouncer in transaction mode before the server of an address, and
// returns the address of the same database behind it. It ends with the test. It skips the
// test where PgBouncer is not installed.
func NewBouncer(t testing.TB, to string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // not in everybody's path
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("needs PgBouncer: install the package pgbouncer")
	}
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "lasca-bouncer-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	port := freePort(t)
	file := filepath.Join(folder, "pgbouncer.ini")
	text := fmt.Sprintf(`[databases]
* = host=%s port=%s user=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
`, u.Hostname(), u.Port(), u.User.Username(), port)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	args := []string{program, "-q", file}
	if os.Getuid() == 0 {
		args = append(args[:1:1], "-q", "-u", "postgres", file)
	}
	cmd := exec.Command(args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	u.Host = fmt.Sprintf("127.0.0.1:%d", port)
	for deadline := time.Now().Add(time.Minute); ; {
		c, err := net.Dial("tcp", u.Host)
		if err == nil {
			c.Close()
			return u.String()
		}
		if time.Now().After(deadline) {
			t.Fatal("PgBouncer does not listen")
		}
		time.Sleep(20 * time.Millisecond)
	}
}
