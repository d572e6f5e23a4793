package pgtest

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Cluster is a PostgreSQL server of one test, which may stop, kill and start it.
type Cluster struct {
	t    testing.TB
	bin  string // the folder of PostgreSQL's programs
	data string
	port int
}

// NewCluster makes and starts a server with an empty database. It ends with the test. It
// skips the test where [New] does, and where PostgreSQL's programs are not installed.
func NewCluster(t testing.TB) *Cluster {
	t.Helper()
	c := newCluster(t)
	c.run("initdb", "-D", c.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale", "C", "--no-sync")
	c.Start()
	return c
}

// newCluster returns a cluster without data.
func newCluster(t testing.TB) *Cluster {
	t.Helper()
	Server(t)
	bin := programs()
	if bin == "" {
		t.Skip("needs PostgreSQL's initdb and pg_ctl: install the package postgresql")
	}
	// Not t.TempDir: the server's user may not look into the folders above it.
	folder, err := os.MkdirTemp("", "lasca-cluster-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	c := &Cluster{t: t, bin: bin, data: filepath.Join(folder, "data"), port: freePort(t)}
	if os.Getuid() == 0 {
		if out, err := exec.Command("chown", "postgres", folder).CombinedOutput(); err != nil {
			t.Skipf("needs the user postgres, since root may not run a server: %s", out)
		}
	}
	t.Cleanup(func() { c.Stop("immediate") })
	return c
}

// NewStandby makes and starts a standby of the cluster, which follows it and can only be
// read from until it is promoted. Commits wait for it.
func (c *Cluster) NewStandby() *Cluster {
	c.t.Helper()
	s := newCluster(c.t)
	c.run("pg_basebackup", "-d", c.URL()+"&application_name=standby", "-D", s.data, "-R", "-c", "fast", "--no-sync")
	s.Start()
	c.Do("alter system set synchronous_standby_names = 'standby'")
	c.Do("select pg_reload_conf()")
	return s
}

// Promote makes a standby a server that can be written to.
func (c *Cluster) Promote() {
	c.t.Helper()
	c.run("pg_ctl", "-D", c.data, "-w", "promote")
	c.Do("alter system reset synchronous_standby_names")
	c.Do("select pg_reload_conf()")
}

// Do runs a statement on the cluster.
func (c *Cluster) Do(sql string) {
	c.t.Helper()
	execute(c.t, c.URL(), sql)
}

// Host returns the cluster's host and port.
func (c *Cluster) Host() string { return fmt.Sprintf("127.0.0.1:%d", c.port) }

// URL returns the address of the cluster's empty database.
func (c *Cluster) URL() string {
	return "postgres://postgres@" + c.Host() + "/postgres?sslmode=disable"
}

// Start starts a cluster that was stopped, at the same address.
func (c *Cluster) Start() {
	c.t.Helper()
	options := fmt.Sprintf("-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off", c.port)
	c.run("pg_ctl", "-D", c.data, "-w", "-t", "60", "-l", filepath.Join(filepath.Dir(c.data), "log"), "-o", options, "start")
}

// Stop stops the cluster if it runs: "fast" ends what goes on in order, "immediate" as a
// crash would.
func (c *Cluster) Stop(mode string) {
	c.t.Helper()
	if _, err := os.Stat(filepath.Join(c.data, "postmaster.pid")); err == nil {
		c.run("pg_ctl", "-D", c.data, "-w", "-m", mode, "stop")
	}
}

// run runs one of PostgreSQL's programs, as root by the user postgres.
func (c *Cluster) run(program string, args ...string) {
	c.t.Helper()
	args = append([]string{filepath.Join(c.bin, program)}, args...)
	if os.Getuid() == 0 {
		args = append([]string{"runuser", "-u", "postgres", "--"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = filepath.Dir(c.data)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// programs returns the folder of PostgreSQL's programs, the newest where there are
// several, "" where there are none.
func programs() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // as Debian has them
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }))
}

// freePort returns a port that nobody listens on.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
