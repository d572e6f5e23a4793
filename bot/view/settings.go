package view

import (
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// chosen marks the button of what is set, also for those who do not see its colour.
const chosen = "✓ "

// Settings shows the settings of a person or, with server, of a server, with a button
// for each value. Who manages the server can change its settings.
func Settings(l i18n.Lang, set *storage.Settings, server bool, at storage.Place, manages bool) Message {
	s := settings{l: l, locked: server && !manages}
	if server {
		return s.ofServer(set, at)
	}
	msg := Said(l, i18n.SettingsMine)
	msg.Rows = s.languages(intent.SetLanguage, set.Language)
	msg.Rows = append(msg.Rows, s.mentions(intent.SetNotices, set.Notices),
		Row{
			s.toggle(i18n.SettingConfirm, intent.SetConfirm, "yes", set.Confirm != ""),
			s.toggle(i18n.SettingNoChallenges, intent.SetChallenges, "no", set.NoChallenges),
		})
	last := Row{{Label: l.T(i18n.ButtonMyVacation), Emoji: "🏖️", Intent: intent.MyVacation{}}}
	if at.Guild != "" {
		last = append(last, Button{Label: l.T(i18n.ButtonServer), Emoji: "⚙️", Intent: intent.Settings{Server: true}})
	}
	msg.Rows = append(msg.Rows, last)
	return msg
}

// settings makes the buttons of settings.
type settings struct {
	l      i18n.Lang
	locked bool // they can be read, not changed
}

func (s settings) ofServer(set *storage.Settings, at storage.Place) Message {
	l := s.l
	msg := Said(l, i18n.SettingsServer)
	if s.locked {
		msg.Text += " " + l.T(i18n.SettingsLocked)
	}
	here := false
	if len(set.Channels) > 0 {
		var list []string
		for _, c := range set.Channels {
			list = append(list, "<#"+c+">")
			here = here || c == at.Channel
		}
		msg.Text = clip(msg.Text+"\n"+l.T(i18n.SettingsChannels, "Channels", strings.Join(list, " ")), MaxText)
	}
	msg.Rows = s.languages(intent.SetServerLanguage, set.Language)
	var days Row
	for _, d := range match.AllDays {
		label, value := l.N(i18n.SettingDays, d), strconv.Itoa(d)
		if d == match.NoLimit {
			label, value = l.T(i18n.SettingNoLimit), "none"
		}
		days = append(days, s.choice(label, intent.SetServerDays, value, set.Days == d || set.Days == 0 && d == 3))
	}
	channel := s.choice(l.T(i18n.SettingHere), intent.SetServerChannel, "here", here)
	if here {
		channel.Intent = intent.Set{Name: intent.SetServerChannel, Value: "not"}
	}
	msg.Rows = append(msg.Rows, s.mentions(intent.SetServerMention, set.Mention), days, Row{
		channel,
		s.choice(l.T(i18n.SettingEverywhere), intent.SetServerChannel, "", len(set.Channels) == 0),
		{Label: l.T(i18n.ButtonMine), Intent: intent.Settings{}},
	})
	return msg
}

func (s settings) choice(label string, name intent.SettingName, value string, set bool) Button {
	b := Button{Label: label, Intent: intent.Set{Name: name, Value: value}, Disabled: s.locked}
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

func (s settings) languages(name intent.SettingName, set string) []Row {
	list := []Button{s.choice(s.l.T(i18n.SettingAuto), name, "", set == "")}
	for _, tag := range i18n.Locales() {
		list = append(list, s.choice(i18n.For(tag).T(i18n.LanguageName), name, tag, set == tag))
	}
	return inRows(list)
}

func (s settings) mentions(name intent.SettingName, set string) Row {
	l := s.l
	return Row{
		s.choice(l.T(i18n.SettingPing), name, storage.MentionPing, set == storage.MentionPing || set == "" && name == intent.SetServerMention),
		s.choice(l.T(i18n.SettingDM), name, storage.MentionDM, set == storage.MentionDM),
		s.choice(l.T(i18n.SettingQuiet), name, storage.MentionQuiet, set == storage.MentionQuiet),
	}
}
