package bot_test

import (
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestDiagnose(t *testing.T) {
	sim := discordsim.New(discordsim.Options{BotToken: "right"})
	server := httptest.NewServer(sim)
	defer server.Close()
	diagnose := func(token, api string) []bot.Finding {
		return bot.Diagnose(t.Context(), bot.Options{Token: token, API: api, Log: quiet()})
	}
	has := func(list []bot.Finding, subject string, v bot.Verdict, says string) {
		t.Helper()
		if !slices.ContainsFunc(list, func(f bot.Finding) bool {
			return f.Subject == subject && f.Verdict == v && strings.Contains(f.Text, says)
		}) {
			t.Errorf("no finding %s, %v, %q in\n%v", subject, v, says, list)
		}
	}
	list := diagnose("right", server.URL)
	has(list, "token", bot.Good, sim.ApplicationID())
	has(list, "commands", bot.Note, "none are registered")
	has(list, "servers", bot.Note, "in none")
	has(list, "gateway", bot.Good, "reached")
	has(list, "clock", bot.Good, "agrees")

	if err := bot.Register(t.Context(), bot.Options{Token: "right", API: server.URL, Log: quiet()}); err != nil {
		t.Fatal(err)
	}
	guild := sim.AddGuild("Club", "de")
	list = diagnose("right", server.URL)
	has(list, "commands", bot.Good, "registered")
	has(list, "servers", bot.Good, "in 1")
	sim.SetMemberPermissions(guild, sim.BotID(), discordsim.ViewChannel|discordsim.SendMessages)
	has(diagnose("right", server.URL), "permissions", bot.Wrong, "lacks Send Messages in Threads, Attach Files")
	sim.SetMemberPermissions(guild, sim.BotID(), discordsim.DefaultBotPermissions&^discordsim.SendMessages)
	has(diagnose("right", server.URL), "permissions", bot.Wrong, "without Send Messages, nobody is reminded of their turn")

	if v := sim.Violations(); len(v) > 0 {
		t.Errorf("violations: %v", v)
	}
	has(diagnose("false", server.URL), "token", bot.Wrong, "token")
	has(diagnose("", server.URL), "token", bot.Wrong, "empty")
	server.Close()
	has(diagnose("right", server.URL), "discord", bot.Wrong, "network")
}
