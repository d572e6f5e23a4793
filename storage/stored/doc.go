// Package stored defines how values are encoded where they last: in the file of package
// boltstore and in the database of package pgstore.
//
// # Design
//
// A value is one byte for its form and a checksum, followed by JSON: people can read
// what is stored, and a field can be added without rewriting old values. A field that
// is not known is refused, since the next save would drop it: after a step back to an
// older program, games that use the field are damaged to that program, and whole again
// after the step forward.
//
// The checksum is CRC-32C over the kind of value ([Games], …), the key and the text, each
// with its length: a value in the place of another is found out too. Four bytes find
// every change of up to 32 bits in a row and miss one in four thousand million of the
// others; nobody forges records, so nothing stronger is needed, and processors compute
// this one faster than memory delivers the bytes.
//
// Both stores have the same bytes for the same game, under the same key. So whoever moves
// games from one to the other can compare them without reading them.
package stored
