package view

import (
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// chosen marks the button of what is set, also for those who do not see its colour.
const chosen = "✓ "

// Settings shows the settings of a person or a server, as they are, with buttons for the
// topics or for the choices of one. at is where they are shown; only people who manage
// the server get buttons for its settings.
func Settings(l i18n.Lang, in intent.Settings, set *storage.Settings, at storage.Place, manages bool) Message {
	s := settings{l: l, set: set, server: in.Server, at: at}
	msg := Said(l, i18n.SettingsMine)
	if in.Server {
		msg = Said(l, i18n.SettingsServer)
	}
	for _, line := range s.lines() {
		msg.Text += "\n" + line
	}
	msg.Text = clip(msg.Text, MaxText)
	switch {
	case in.Server && !manages:
		msg.Text += "\n" + l.T(i18n.SettingsLocked)
		msg.Rows = []Row{{s.other()}}
	case in.Topic == intent.AllTopics:
		msg.Rows = s.topics()
	default:
		msg.Rows = append(s.choices(in.Topic), Row{{Label: l.T(i18n.ButtonBack), Intent: intent.Settings{Server: in.Server}}})
	}
	return msg
}

// settings words settings and makes their buttons.
type settings struct {
	l      i18n.Lang
	set    *storage.Settings
	server bool
	at     storage.Place
}

// lines says how everything is set.
func (s settings) lines() []string {
	l, set := s.l, s.set
	line := func(key i18n.Key, value string) string { return l.T(key, "Value", value) }
	list := []string{line(i18n.SettingsLanguage, s.language()), line(i18n.SettingsBoards, s.boards())}
	if s.server {
		return append(list,
			line(i18n.SettingsTurns, s.mention(set.Mention)),
			line(i18n.SettingsDays, s.days(set.Days)),
			line(i18n.SettingsRated, s.yes(set.Rated)),
			line(i18n.SettingsThreads, s.yes(set.Threads)),
			line(i18n.SettingsChannels, s.channels()))
	}
	return append(list,
		line(i18n.SettingsNotices, s.mention(set.Notices)),
		line(i18n.SettingsConfirm, s.yes(set.Confirm != "")),
		line(i18n.SettingsChallenges, s.yes(!set.NoChallenges)))
}

func (s settings) language() string {
	if s.set.Language == "" {
		return s.l.T(i18n.SettingAuto)
	}
	return i18n.For(s.set.Language).T(i18n.LanguageName)
}

func (s settings) boards() string {
	if !s.server && !play.HasLook(s.set) {
		return s.l.T(i18n.SettingAsServer)
	}
	look, buttons := LookFrom(*s.set, nil), i18n.ButtonColumns
	if look.Moves {
		buttons = i18n.ButtonMoves
	}
	return s.l.T(themeNames[look.Theme]) + " · " + s.l.T(boardNames[look.Boards]) + " · " + s.l.T(buttons)
}

// boardNames are what people call the kinds of boards.
var boardNames = map[Boards]i18n.Key{InPictures: i18n.ButtonPictures, InEmoji: i18n.ButtonEmoji, InLetters: i18n.ButtonLetters}

// mentions are the ways to hear of a turn.
var mentions = map[string]i18n.Key{
	storage.MentionPing: i18n.SettingPing, storage.MentionDM: i18n.SettingDM, storage.MentionQuiet: i18n.SettingQuiet,
}

func (s settings) mention(how string) string {
	switch key, ok := mentions[how]; {
	case ok:
		return s.l.T(key)
	case s.server:
		return s.l.T(i18n.SettingPing)
	}
	return s.l.T(i18n.SettingAsServer)
}

func (s settings) days(d int) string {
	switch d {
	case match.NoLimit:
		return s.l.T(i18n.SettingNoLimit)
	case 0:
		d = play.UsualDays
	}
	return s.l.N(i18n.SettingDays, d)
}

func (s settings) yes(on bool) string {
	if on {
		return s.l.T(i18n.SettingYes)
	}
	return s.l.T(i18n.SettingNo)
}

func (s settings) channels() string {
	if len(s.set.Channels) == 0 {
		return s.l.T(i18n.SettingEverywhere)
	}
	return channelList(s.set.Channels)
}

func channelList(ids []string) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = "<#" + id + ">"
	}
	return strings.Join(list, " ")
}

// topics are the buttons of the first page: the topics, what is only on or off, and the
// way to other pages.
func (s settings) topics() []Row {
	l := s.l
	topic := func(label i18n.Key, emoji string, t intent.Topic) Button {
		return Button{Label: l.T(label), Emoji: emoji, Intent: intent.Settings{Server: s.server, Topic: t}}
	}
	row := Row{
		topic(i18n.ButtonLanguage, "🌐", intent.Language),
		topic(i18n.ButtonBoards, "🎨", intent.Boards),
		topic(i18n.ButtonNotices, "🔔", intent.Notices),
	}
	if s.server {
		return []Row{
			append(row, topic(i18n.ButtonMoveTime, "⏳", intent.MoveTime), topic(i18n.ButtonPlaces, "📍", intent.Places)),
			{s.toggle(i18n.ButtonRated, intent.SetServerRated, "yes", s.set.Rated), s.toggle(i18n.ButtonThreads, intent.SetServerThreads, "yes", s.set.Threads)},
			{s.other()},
		}
	}
	rows := []Row{row, {
		s.toggle(i18n.ButtonConfirm, intent.SetConfirm, "yes", s.set.Confirm != ""),
		s.toggle(i18n.ButtonNoChallenges, intent.SetChallenges, "no", s.set.NoChallenges),
	}, {{Label: l.T(i18n.ButtonMyVacation), Emoji: "🏖️", Intent: intent.MyVacation{}}}}
	if s.at.Guild != "" {
		rows[2] = append(rows[2], s.other())
	}
	return rows
}

// other leads to the settings of the server, or from there to the person's.
func (s settings) other() Button {
	if s.server {
		return Button{Label: s.l.T(i18n.ButtonMine), Emoji: "⚙️", Intent: intent.Settings{}}
	}
	return Button{Label: s.l.T(i18n.ButtonServer), Emoji: "⚙️", Intent: intent.Settings{Server: true}}
}

// choices are the buttons of one topic.
func (s settings) choices(t intent.Topic) []Row {
	l, set := s.l, s.set
	switch t {
	case intent.Language:
		name := s.name(intent.SetLanguage, intent.SetServerLanguage)
		list := []Button{s.choice(l.T(i18n.SettingAuto), name, "", set.Language == "")}
		for _, tag := range i18n.Locales() {
			list = append(list, s.choice(i18n.For(tag).T(i18n.LanguageName), name, tag, set.Language == tag))
		}
		return inRows(list)
	case intent.Boards:
		return s.boardChoices()
	case intent.Notices:
		name, how := s.name(intent.SetNotices, intent.SetServerMention), set.Notices
		var row Row
		if s.server {
			how = set.Mention
			if how == "" {
				how = storage.MentionPing
			}
		} else {
			row = append(row, s.choice(l.T(i18n.SettingAsServer), name, "", how == ""))
		}
		for _, mode := range []string{storage.MentionPing, storage.MentionDM, storage.MentionQuiet} {
			row = append(row, s.choice(l.T(mentions[mode]), name, mode, how == mode))
		}
		return []Row{row}
	case intent.MoveTime:
		var row Row
		for _, d := range match.AllDays {
			value := strconv.Itoa(d)
			if d == match.NoLimit {
				value = play.NoDays
			}
			row = append(row, s.choice(s.days(d), intent.SetServerDays, value, set.Days == d || set.Days == 0 && d == play.UsualDays))
		}
		return []Row{row}
	}
	here := play.Allowed(set, s.at.Channel)
	row := Row{s.choice(l.T(i18n.SettingHere), intent.SetServerChannel, "here", here && len(set.Channels) > 0)}
	if here && len(set.Channels) > 0 {
		row[0].Intent = intent.Set{Name: intent.SetServerChannel, Value: "not"}
	}
	return []Row{append(row, s.choice(l.T(i18n.SettingEverywhere), intent.SetServerChannel, "", len(set.Channels) == 0))}
}

func (s settings) boardChoices() []Row {
	l, look := s.l, LookFrom(*s.set, nil)
	own := s.server || play.HasLook(s.set)
	var themes Row
	for _, theme := range render.Themes() {
		themes = append(themes, s.choice(l.T(themeNames[theme]), s.name(intent.SetTheme, intent.SetServerTheme), theme.String(), own && look.Theme == theme))
	}
	show, press := s.name(intent.SetShow, intent.SetServerShow), s.name(intent.SetButtons, intent.SetServerButtons)
	rows := []Row{themes, {
		s.choice(l.T(boardNames[InPictures]), show, intent.Pictures, own && look.Boards == InPictures),
		s.choice(l.T(boardNames[InEmoji]), show, intent.InEmoji, own && look.Boards == InEmoji),
		s.choice(l.T(boardNames[InLetters]), show, intent.Letters, own && look.Boards == InLetters),
	}, {
		s.choice(l.T(i18n.ButtonColumns), press, storage.Columns, own && !look.Moves),
		s.choice(l.T(i18n.ButtonMoves), press, storage.Moves, own && look.Moves),
	}}
	if !s.server {
		rows = append(rows, Row{s.choice(l.T(i18n.SettingAsServer), intent.SetTheme, "", !own)})
	}
	return rows
}

// name returns the setting of the person or the one of the server.
func (s settings) name(person, server intent.SettingName) intent.SettingName {
	if s.server {
		return server
	}
	return person
}

func (s settings) choice(label string, name intent.SettingName, value string, set bool) Button {
	b := Button{Label: label, Intent: intent.Set{Name: name, Value: value}}
	if set {
		b.Label, b.Style = chosen+label, Primary
	}
	return b
}

// toggle is a setting that is on or off.
func (s settings) toggle(label i18n.Key, name intent.SettingName, value string, set bool) Button {
	b := s.choice(s.l.T(label), name, value, set)
	if set {
		b.Intent = intent.Set{Name: name}
	}
	return b
}
