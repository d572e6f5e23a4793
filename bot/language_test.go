package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/i18n"
)

// discordLocales are Discord's names of the languages that the bot speaks, but for
// English.
var discordLocales = []string{"de", "it", "fr", "es-ES", "es-419"}

func TestLanguage(t *testing.T) {
	t.Parallel()
	t.Run("private answers are in the person's language, boards in the server's", func(t *testing.T) {
		w := newWorld(t)
		w.says(w.typed(w.ben, "/lasca help"), "Säule")
		w.says(w.typed(w.ann, "/lasca help"), "column")
		club := w.sim.AddGuild("Verein", "de")
		w.channel = w.sim.AddChannel(club, "brett")
		w.sim.Join(club, w.ann.ID())
		w.sim.Join(club, w.ben.ID())
		w.says(w.typed(w.ann, "/lasca play level:1 colour:white"), "Zug 1")
	})
	t.Run("direct messages are in the person's language", func(t *testing.T) {
		w := newWorld(t)
		w.channel = w.ben.OpenDM()
		board := w.typed(w.ben, "/lasca play level:1 colour:white")
		w.says(board, "Zug 1")
		w.picture(board)
		w.moved(w.ben, board, "c3", "d4")
		w.until(w.ben, board, "Zug 2")
	})
	t.Run("commands are typed and answered in every language", func(t *testing.T) {
		w := newWorld(t)
		for _, locale := range discordLocales {
			l := i18n.For(locale)
			who := w.join(discordsim.User{Name: locale, DisplayName: locale, Locale: locale})
			w.channel = who.OpenDM()
			w.says(w.typed(who, "/lasca "+l.T("command.rules.name")), l.T(i18n.RulesPages, "Page", 1, "Pages", 5))
			board := w.typed(who, strings.Join([]string{
				"/lasca", l.T("command.play.name"), l.T("option.level.name") + ":1", l.T("option.colour.name") + ":" + l.T("choice.colour.white"),
			}, " "))
			w.says(board, l.T(i18n.RulesKawu), l.T(i18n.BoardTurn, "Who", "<@"+who.ID()+">"))
			w.says(w.typed(who, "/lasca "+l.T("command.move.name")+" "+l.T("option.path.name")+":d5"), l.T(i18n.MoveLight, "Text", "d5"))
			w.moved(who, board, "c3", "d4")
			w.clock.Advance(time.Minute)
		}
	})
	t.Run("people of two languages meet on a server of a third", func(t *testing.T) {
		w := newWorld(t)
		club := w.sim.AddGuild("Club de damas", "es-419")
		w.channel = w.sim.AddChannel(club, "tablero")
		luc := w.join(discordsim.User{Name: "luc", DisplayName: "Luc", Locale: "fr"})
		ada := w.join(discordsim.User{Name: "ada", DisplayName: "Ada", Locale: "it"})
		for _, u := range []*discordsim.Actor{luc, ada} {
			w.sim.Join(club, u.ID())
		}
		asked := w.typed(luc, "/lasca défier personne:<@"+ada.ID()+"> couleur:Blancs (commencent)")
		w.says(asked, "te desafía a una partida de Lasca", "Luc lleva las blancas")
		w.says(w.click(luc, asked, "Aceptar"), "Ce défi s’adresse à Ada")
		board := w.click(ada, asked, "Aceptar")
		w.says(board, "jugada 1", "te toca")
		w.stop()
		w.start()
		w.says(w.click(ada, board, "c3"), "Non tocca a te: tocca a Luc.")
		w.moved(luc, board, "c3", "d4")
		w.says(w.until(luc, board, "c3-d4"), "<@"+ada.ID()+">, solo tienes una jugada: **e5xc3**")
		w.says(w.typed(luc, "/lasca parties"), "à ton adversaire de jouer")
		w.says(w.typed(ada, "/lasca partite"), "tocca a te")
	})
}

// TestCommandsAreRegisteredInEveryLanguageOfDiscords reads what the bot registers.
func TestCommandsAreRegisteredInEveryLanguageOfDiscords(t *testing.T) {
	if len(discordLocales) != len(i18n.Locales()) { // without English, but two for Spanish
		t.Errorf("%q do not fit the catalogs %q", discordLocales, i18n.Locales())
	}
	for _, command := range bot.Commands() {
		for _, locale := range discordLocales {
			l := i18n.For(locale)
			if strings.ToLower(command.Name) != command.Name { // a menu's
				if got := command.NameLocalizations[locale]; got != l.T("command.challenge_user.name") {
					t.Errorf("%s: the menu is called %q", locale, got)
				}
				continue
			}
			if got := command.DescriptionLocalizations[locale]; got != l.T("command.lasca.description") {
				t.Errorf("%s: /%s is described as %q", locale, command.Name, got)
			}
			for _, sub := range command.Options {
				if sub.NameLocalizations[locale] == "" || sub.DescriptionLocalizations[locale] == "" {
					t.Errorf("%s: /%s %s is not translated", locale, command.Name, sub.Name)
				}
			}
		}
	}
}
