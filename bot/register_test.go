package bot

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
)

func TestCommandsAreRegisteredOnceDiscordIsThereAgain(t *testing.T) {
	outage := errors.New("out of order")
	for _, c := range []struct {
		name string
		errs []error // of the attempts, in turn; nil afterwards
		want int     // attempts
		took time.Duration
	}{
		{"after an outage", []error{outage, outage}, 3, (1 + 2 + 4) * registerWait},
		{"not again after a refusal for good", []error{outage, discord.ErrBadToken}, 2, (1 + 2) * registerWait},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun, attempts := time.Now(), 0
				registerLater(t.Context(), func(context.Context) error {
					attempts++
					if attempts <= len(c.errs) {
						return c.errs[attempts-1]
					}
					return nil
				}, slog.New(slog.DiscardHandler))
				if took := time.Since(begun); attempts != c.want || took != c.took {
					t.Errorf("%d attempts in %v, want %d in %v", attempts, took, c.want, c.took)
				}
			})
		})
	}
	t.Run("the wait is bounded, and ends with the bot", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
			defer cancel()
			attempts := 0
			registerLater(ctx, func(context.Context) error { attempts++; return outage }, slog.New(slog.DiscardHandler))
			if least := int(23 * time.Hour / registerLongest); attempts < least {
				t.Errorf("%d attempts in a day, want at least %d", attempts, least)
			}
		})
	})
}
