package intent

import (
	"slices"
	"strings"
)

// Settings asks for the settings of the person or, with Server, of the server: with the
// choices for one topic, or with the list of topics.
type Settings struct {
	NoGame
	Server bool
	Topic  Topic
}

// Topic is what some settings are about. Buttons that are in channels hold these letters.
type Topic string

// The topics.
const (
	AllTopics Topic = ""
	Language  Topic = "l"
	Boards    Topic = "b"
	Notices   Topic = "n"
	MoveTime  Topic = "t" // of a server
	Places    Topic = "c" // of a server
)

var topics = []Topic{AllTopics, Language, Boards, Notices, MoveTime, Places}

// Set changes one setting of the person or, for the names that are capital letters, of
// the server.
type Set struct {
	NoGame
	Name  SettingName
	Value string // one of the setting's values; "" is the default
}

// SettingName names a setting. Buttons that are in channels hold these letters.
type SettingName string

// The settings.
const (
	SetLanguage   SettingName = "l" // a language's tag, or "" for Discord's
	SetTheme      SettingName = "t" // of boards; "" gives up all that was chosen for them
	SetShow       SettingName = "s" // boards as [Pictures], [InEmoji] or [Letters]
	SetButtons    SettingName = "b" // "columns" or "moves"
	SetNotices    SettingName = "n" // how a person hears of a turn: storage.MentionPing and so on
	SetConfirm    SettingName = "c" // "yes": each move is asked for once more
	SetChallenges SettingName = "h" // "no": nobody may challenge the person

	SetServerLanguage SettingName = "L"
	SetServerTheme    SettingName = "T"
	SetServerShow     SettingName = "S"
	SetServerButtons  SettingName = "B"
	SetServerMention  SettingName = "M"
	SetServerDays     SettingName = "D" // "1", "3", "7", or "none"
	SetServerRated    SettingName = "R" // "yes": new games are, where nothing else is said
	SetServerThreads  SettingName = "H" // "yes": each new game gets a thread of its own
	SetServerChannel  SettingName = "C" // "here" adds this channel to those where games are allowed, "not" takes it away, "" allows all
)

// topicOf says what a setting is about. Those that are only on or off are among all.
var topicOf = map[SettingName]Topic{
	SetLanguage: Language, SetTheme: Boards, SetShow: Boards, SetButtons: Boards, SetNotices: Notices, SetConfirm: AllTopics, SetChallenges: AllTopics,
	SetServerLanguage: Language, SetServerTheme: Boards, SetServerShow: Boards, SetServerButtons: Boards, SetServerMention: Notices,
	SetServerDays: MoveTime, SetServerRated: AllTopics, SetServerThreads: AllTopics, SetServerChannel: Places,
}

// Server reports whether a setting is the server's.
func (n SettingName) Server() bool { return n >= "A" && n <= "Z" }

// Settings returns what shows a setting once it has been changed.
func (in Set) Settings() Settings {
	return Settings{Server: in.Name.Server(), Topic: topicOf[in.Name]}
}

func writeSettings(in Settings) string {
	if in.Server {
		return ".s" + string(in.Topic)
	}
	return ".p" + string(in.Topic)
}

func readSettings(text string) (in Settings, ok bool) {
	if len(text) < 2 {
		return in, false
	}
	in = Settings{Server: text[1] == 's', Topic: Topic(text[2:])}
	return in, slices.Contains(topics, in.Topic) && writeSettings(in) == text
}

func writeSet(in Set) string { return "." + string(in.Name) + "." + in.Value }

func readSet(text string) (in Set, ok bool) {
	name, value, _ := strings.Cut(strings.TrimPrefix(text, "."), ".")
	in = Set{Name: SettingName(name), Value: value}
	_, known := topicOf[in.Name]
	return in, known && len(value) <= maxValue && strings.Trim(value, valueLetters) == "" && writeSet(in) == text
}

// maxValue is the most bytes of a setting's value, and valueLetters what is in it; a
// language's tag may have a hyphen.
const (
	maxValue     = 16
	valueLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
)
