package discordsim

import (
	"net/http"
	"slices"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// commandScope checks the application and guild of the path and gives the
// guild's ID, "" for global commands.
func (c *call) commandScope() (guildID string, err *apiError) {
	if c.params["application_id"] != c.s.appID {
		return "", mistake(http.StatusForbidden, 20012, "You are not authorized to perform this action on this application")
	}
	id, ok := c.params["guild_id"]
	if !ok {
		return "", nil
	}
	if g := c.s.guilds[id]; g == nil || g.Members[c.s.botID] == nil {
		return "", errMissingAccess
	}
	return id, nil
}

// listCommands leaves the localizations out unless they are asked for.
func listCommands(c *call) (int, any, *apiError) {
	guildID, err := c.commandScope()
	if err != nil {
		return 0, nil, err
	}
	out := []any{}
	for _, cmd := range c.s.commands {
		if cmd.GuildID != guildID {
			continue
		}
		listed := *cmd
		if c.query.Get("with_localizations") != "true" {
			listed.NameLocalizations, listed.DescriptionLocalizations = nil, nil
			listed.Options = withoutLocalizations(cmd.Options)
		}
		out = append(out, listed)
	}
	return http.StatusOK, out, nil
}

func withoutLocalizations(list []check.CommandOption) []check.CommandOption {
	out := slices.Clone(list)
	for i := range out {
		o := &out[i]
		o.NameLocalizations, o.DescriptionLocalizations = nil, nil
		o.Options = withoutLocalizations(o.Options)
		o.Choices = slices.Clone(o.Choices)
		for j := range o.Choices {
			o.Choices[j].NameLocalizations = nil
		}
	}
	return out
}

// overwriteCommands replaces all commands of a scope; those that keep name and
// type keep their ID.
func overwriteCommands(c *call) (int, any, *apiError) {
	guildID, err := c.commandScope()
	if err != nil {
		return 0, nil, err
	}
	f := &check.Form{}
	commands := f.Commands(c.body)
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	if check.TooManyCommands(commands) {
		return 0, nil, mistake(http.StatusBadRequest, 30032, "Maximum number of application commands reached (100)")
	}
	all := slices.DeleteFunc(slices.Clone(c.s.commands), func(old *check.Command) bool { return old.GuildID == guildID })
	for i := range commands {
		c.s.identifyCommand(&commands[i], guildID)
		all = append(all, &commands[i])
	}
	c.s.commands = all
	c.s.record(recCommands, c.s.commands)
	c.s.emit(Event{Kind: EventCommands})
	return http.StatusOK, commands, nil
}

// createCommand adds a command to a scope, in place of the one of the same type and
// name if there is one.
func createCommand(c *call) (int, any, *apiError) {
	guildID, err := c.commandScope()
	if err != nil {
		return 0, nil, err
	}
	f := &check.Form{}
	cmd := f.Command(c.body)
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	status := http.StatusOK
	all := slices.DeleteFunc(slices.Clone(c.s.commands), func(old *check.Command) bool {
		return old.GuildID == guildID && old.Type == cmd.Type && old.Name == cmd.Name
	})
	if len(all) == len(c.s.commands) {
		status = http.StatusCreated
	}
	c.s.identifyCommand(&cmd, guildID)
	c.s.commands = append(all, &cmd)
	c.s.record(recCommands, c.s.commands)
	c.s.emit(Event{Kind: EventCommands})
	return status, cmd, nil
}

// identifyCommand gives a command its IDs: that of the registered one of the
// same name, if there is one, and a new version.
func (s *Server) identifyCommand(cmd *check.Command, guildID string) {
	cmd.ID = ""
	for _, old := range s.commands {
		if old.GuildID == guildID && old.Name == cmd.Name && old.Type == cmd.Type {
			cmd.ID = old.ID
		}
	}
	if cmd.ID == "" {
		cmd.ID = s.newID()
	}
	cmd.ApplicationID, cmd.GuildID, cmd.Version = s.appID, guildID, s.newID()
}
