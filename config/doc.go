// Package config declares the settings of the programs and reads them into
// typed values.
//
// # Design
//
// Each command with settings has a function here, such as [RunFlags]. It
// declares the flags and their environment variables on a [cli.Flags] and
// returns the struct that they are read into, complete with what follows from
// them; the command may use it as soon as it runs. Settings that several
// commands share are declared by one function, so that they mean the same
// everywhere. Help and the pages in the repository come from these
// declarations.
//
// The token has no flag, since everyone on a machine can read its command
// lines. A [Secret] cannot be printed, and no error shows a token, not even one
// in the wrong place.
package config
