package intent

import (
	"slices"
	"strings"
)

// Settings asks for the settings of the person or, with Server, of the server.
type Settings struct {
	NoGame
	Server bool
}

// Set changes one setting of the person or, for the names that begin with Server, of
// the server.
type Set struct {
	NoGame
	Name  SettingName
	Value string // one of the setting's values; "" is the default
}

// SettingName names a setting. Buttons that are already in channels hold these letters.
type SettingName string

// The settings.
const (
	SetLanguage   SettingName = "l" // a language's tag, or "" for Discord's
	SetNotices    SettingName = "n" // how a person hears of a turn: storage.MentionPing and so on
	SetConfirm    SettingName = "c" // "yes": each move is asked for once more
	SetChallenges SettingName = "h" // "no": nobody may challenge the person

	SetServerLanguage SettingName = "L"
	SetServerMention  SettingName = "M"
	SetServerDays     SettingName = "D" // "1", "3", "7", "none", or ""
	SetServerChannel  SettingName = "C" // "here" adds this channel to those where games are allowed, "not" takes it away, "" allows all
)

var settingNames = []SettingName{
	SetLanguage, SetNotices, SetConfirm, SetChallenges,
	SetServerLanguage, SetServerMention, SetServerDays, SetServerChannel,
}

// Server reports whether a setting is the server's.
func (n SettingName) Server() bool { return n >= "A" && n <= "Z" }

func writeSettings(in Settings) string {
	if in.Server {
		return ".s"
	}
	return "."
}

func readSettings(text string) (in Settings, ok bool) {
	in.Server = text == ".s"
	return in, writeSettings(in) == text
}

func writeSet(in Set) string { return "." + string(in.Name) + "." + in.Value }

func readSet(text string) (in Set, ok bool) {
	name, value, ok := strings.Cut(strings.TrimPrefix(text, "."), ".")
	in = Set{Name: SettingName(name), Value: value}
	return in, ok && slices.Contains(settingNames, in.Name) && len(value) <= maxValue && lettersAndDigits(value) && writeSet(in) == text
}

// maxValue is the most bytes of a setting's value.
const maxValue = 16
