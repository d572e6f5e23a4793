package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
)

// Finding is what one test of [Diagnose] found.
type Finding struct {
	Subject string // what was tested, in a word or two
	Verdict Verdict
	Text    string // what was found and, unless it is good, what to do
}

// Verdict is how bad a [Finding] is.
type Verdict uint8

// The verdicts.
const (
	Good  Verdict = iota
	Note          // the bot works; somebody should know
	Wrong         // the bot cannot work, or not well
)

// String returns the verdict as a word of at most 5 letters.
func (v Verdict) String() string {
	switch v {
	case Good:
		return "ok"
	case Note:
		return "note"
	}
	return "wrong"
}

// fewSessions is from when on the sessions of the day are running out.
const fewSessions = 50

// Diagnose tests what a bot needs of Discord without disturbing one that runs.
// Of the options it uses Token, API, Transport and Log.
func Diagnose(ctx context.Context, opt Options) []Finding {
	var list []Finding
	found := func(subject string, v Verdict, format string, args ...any) {
		list = append(list, Finding{subject, v, fmt.Sprintf(format, args...)})
	}
	rest, err := discord.NewREST(opt.discord())
	if err != nil {
		found("token", Wrong, "%v", err)
		return list
	}

	me, err := rest.Self(ctx)
	switch {
	case errors.Is(err, discord.ErrBadToken):
		found("token", Wrong, "%v", err)
		return list
	case err != nil:
		found("discord", Wrong, "Discord cannot be asked: %v; look at the network, the proxy and https://discordstatus.com", err)
		return list
	}
	found("token", Good, "it is that of %s, application %s", me.Name, me.App)
	if me.Endpoint != "" {
		found("interactions", Wrong, "the application has them sent to a web address, and this bot will get none: empty Interactions Endpoint URL on the page General Information of the developer portal")
	}

	have, err := rest.RegisteredCommands(ctx, me.App)
	switch {
	case err != nil:
		found("commands", Wrong, "they cannot be read: %v", err)
	case len(discord.Missing(have, Commands())) == len(Commands()):
		found("commands", Note, `none are registered yet; "lascabot run" does it when it starts, "lascabot register" at once`)
	case len(discord.Missing(have, Commands())) > 0:
		found("commands", Note, `Discord's differ from this version's; "lascabot run" replaces them when it starts, "lascabot register" at once`)
	default:
		found("commands", Good, "registered as this version has them")
	}

	guilds, err := rest.Guilds(ctx)
	switch {
	case err != nil:
		found("servers", Wrong, "they cannot be read: %v", err)
	case len(guilds) == 0:
		found("servers", Note, "the bot is in none yet; people can still use it if they have added it to their account")
	default:
		found("servers", Good, "the bot is in %d", len(guilds))
	}
	for _, g := range guilds {
		var names, without []string
		for _, p := range g.Lacks {
			names = append(names, p.Name)
			without = append(without, fmt.Sprintf("without %s, %s", p.Name, p.Without))
		}
		if len(names) > 0 {
			found("permissions", Wrong, "in the server %q (%s) the bot's role lacks %s: give it them in the server's settings, or invite the bot anew (%s)",
				g.Name, g.ID, strings.Join(names, ", "), strings.Join(without, "; "))
		}
	}
	found("intents", Good, "none are needed, and none have to be switched on")

	gateway, err := rest.GatewayInfo(ctx)
	switch {
	case err != nil:
		found("gateway", Wrong, "its address cannot be read: %v", err)
	case gateway.SessionsLeft == 0:
		found("gateway", Wrong, "no session can be started for %v: something has connected again and again; stop it, and wait", gateway.SessionsReset.Round(time.Minute))
	default:
		if gateway.SessionsLeft < fewSessions {
			found("gateway", Note, "only %d of %d sessions are left for %v", gateway.SessionsLeft, gateway.SessionsTotal, gateway.SessionsReset.Round(time.Minute))
		}
		if err := discord.Greet(ctx, opt.discord(), gateway.URL); err != nil {
			found("gateway", Wrong, "%s cannot be reached: %v; outgoing connections to port 443 of gateway.discord.gg must be allowed", gateway.URL, err)
		} else {
			found("gateway", Good, "reached; sessions left today: %d of %d", gateway.SessionsLeft, gateway.SessionsTotal)
		}
	}

	switch skew, known := rest.Skew(); {
	case !known:
		found("clock", Note, "Discord's answers do not tell the time, so this machine's clock was not compared")
	case skew.Abs() > discord.MaxSkew:
		found("clock", Wrong, "this machine's is %v off Discord's: switch on the synchronisation of time (NTP)", skew.Round(time.Second))
	default:
		found("clock", Good, "it agrees with Discord's to the second or so")
	}
	return list
}
