package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/lascabot/lascabot/config/cli"
)

// tokenFlags declares the token and the file that may hold it. One of them is
// required.
func tokenFlags(f *cli.Flags, token *Secret, warnings *[]string) {
	const fileFlag = "token-file"
	f.Variable("token", "LASCABOT_TOKEN",
		"the bot's token; it has no flag, since everyone on a machine can read its command lines (but see -token-file)",
		func(text string) (err error) {
			if f.Given(fileFlag) {
				return nil // the flag beats this variable too
			}
			*token, err = readToken(text)
			return err
		})
	f.Setting(fileFlag, "LASCABOT_TOKEN_FILE", "", "a `FILE` that holds the bot's token, instead of LASCABOT_TOKEN",
		func(text string) (err error) {
			if !token.IsZero() {
				return errors.New("LASCABOT_TOKEN is set as well: unset one of them")
			}
			var warning string
			*token, warning, err = readTokenFile(text)
			// A service manager gives the files that it hands over modes of its own,
			// and keeps others away from them in another way.
			if warning != "" && filepath.Dir(text) != filepath.Clean(f.Getenv("CREDENTIALS_DIRECTORY")) {
				*warnings = append(*warnings, warning)
			}
			return err
		})
	f.Check(func() error {
		if token.IsZero() {
			return cli.Refuse("the token is missing: set LASCABOT_TOKEN, or name the file that holds it with -%s or LASCABOT_TOKEN_FILE", fileFlag)
		}
		return nil
	})
}

// maxTokenFile is longer than any token, and short enough to read by mistake.
const maxTokenFile = 4096

// readTokenFile reads a token. It warns if other users can read it too.
func readTokenFile(name string) (token Secret, warning string, err error) {
	fail := func(err error) (Secret, string, error) {
		return Secret{}, "", fmt.Errorf("the file %s: %w", cli.Quote(name), err)
	}
	f, err := os.Open(name)
	if err != nil {
		if e := (*fs.PathError)(nil); errors.As(err, &e) {
			err = e.Err // without the name, which cli.Quote shows or hides
		}
		return fail(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return fail(errors.New("it is not a file: name the file that holds the token"))
	}
	text, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
	switch {
	case err != nil:
		return fail(errors.New("it cannot be read"))
	case len(text) > maxTokenFile:
		return fail(errors.New("it is too long for a token: put the token into it and nothing else"))
	}
	if token, err = readToken(string(text)); err != nil {
		return fail(err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		warning = fmt.Sprintf("other users of this machine can read or change the token file %s (mode %04o): chmod 600 it", cli.Quote(name), mode)
	}
	return token, warning, nil
}

// readToken reads a token as people paste it: perhaps with white space or, as in
// a shell script, quotes around it, or behind the word "Bot" that precedes it in a
// request.
func readToken(text string) (Secret, error) {
	text = unquoted(strings.TrimSpace(text))
	text = unquoted(strings.TrimSpace(strings.TrimPrefix(text, "Bot ")))
	if text == "" {
		return Secret{}, errors.New("it is empty: copy the token from the Bot page of Discord's developer portal")
	}
	for _, r := range text {
		if r <= ' ' || r > '~' {
			return Secret{}, errors.New("it has characters that a token never has, such as a space or a line break: copy it again")
		}
	}
	return NewSecret(text), nil
}

// unquoted returns a text without the pair of quotes around it, which not every
// reader of a file of variables takes off.
func unquoted(text string) string {
	for _, quote := range []string{`"`, "'"} {
		if inner, ok := strings.CutPrefix(text, quote); ok {
			if inner, ok = strings.CutSuffix(inner, quote); ok {
				return strings.TrimSpace(inner)
			}
		}
	}
	return text
}
