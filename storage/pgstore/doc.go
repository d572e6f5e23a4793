// Package pgstore keeps games in a PostgreSQL database, which any number of processes
// can use at once.
package pgstore
