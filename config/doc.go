// Package config reads the settings of the programs from flags and environment
// variables into typed values.
//
// # Design
//
// One table, [settings], has a row for each setting: its flag, its default, the
// commands that know it, what it means and how its text is read. The flags, the
// names of the environment variables, the help text and the table in the README
// all come from it, so that none of them can lack a setting.
//
// A flag beats the environment, the environment beats the default. An empty
// variable counts as not set, as a container's empty line does. What a flag has
// overridden is not looked at. The token has no flag: everybody on a machine can
// read the command lines.
//
// Every error names the setting, where its value came from, and what to do. No
// error and no other text shows a token, also not one that stands in the wrong
// place.
package config
