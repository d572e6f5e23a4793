// Package cli runs the commands of a program. From one value per command come
// its flags, its help, the list of commands and the pages in the repository.
//
// # Design
//
// A [Program] is a list of [Command] values. A command's Setup declares its
// flags and returns the function that runs; help and pages call Setup too, so
// they cannot list a flag that does not exist or miss one that does.
//
// Flags are those of package flag, with two additions. They may stand before,
// between and after the arguments. A [Flags.Setting] can also be given by an
// environment variable: a flag beats its variable, the variable beats the
// default, and an empty variable counts as unset, as an empty line in a
// container's configuration does. What is overridden is never read.
//
// No message shows a secret: [Quote] hides values that look like one, and every
// error about flags and arguments goes through it.
//
// Libraries were tried first. kong reads -data as -d -a -t -a, which would
// break every documented command line. urfave/cli understands it, but prints
// the values of rejected flags, so tokens could end up in a log. Neither names
// the source of a bad value the way people need it: which flag, set by which
// variable.
package cli
