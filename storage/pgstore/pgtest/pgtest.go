// Package pgtest gives tests a PostgreSQL database, a server or a bad connection of their
// own.
package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Variable names the environment variable with the address of a server that tests may
// make databases on, such as postgres://postgres@127.0.0.1:5432/postgres.
const Variable = "LASCA_POSTGRES"

var made atomic.Int64

// New makes an empty database and returns its address. The end of the test removes it.
// It skips the test where no server is named.
func New(t testing.TB) string {
	t.Helper()
	server := Server(t)
	name := fmt.Sprintf("lasca_%d_%d_%d", os.Getpid(), time.Now().UnixNano(), made.Add(1))
	Execute(t, server, "create database "+name)
	t.Cleanup(func() { Execute(t, server, "drop database "+name+" with (force)") })
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// Server returns the address of the server. It skips the test where none is named.
func Server(t testing.TB) string {
	t.Helper()
	server := os.Getenv(Variable)
	if server == "" {
		t.Skip("needs a PostgreSQL server: set " + Variable + " to its address")
	}
	return server
}

// Execute runs SQL on a database.
func Execute(t testing.TB, server, sql string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, sql); err != nil {
		t.Error(err)
	}
}
