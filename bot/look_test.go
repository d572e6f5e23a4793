package bot_test

import (
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestLook(t *testing.T) {
	w := newWorld(t)
	m := w.typed(w.ben, "/lasca look boards:letters")
	w.says(m, "```")
	refused := w.typed(w.ben, "/lasca look theme:dark everyone:True")
	w.says(refused, "verwalten")
	w.sim.SetMemberPermissions(w.guild, w.ann.ID(), discordsim.DefaultMemberPermissions|discordsim.ManageGuild)
	w.typed(w.ann, "/lasca look boards:letters everyone:True")
	w.says(w.duel(), "```")
}
