package screen

import (
	"context"

	"github.com/lascabot/lascabot/storage"
)

// adopt looks, at the first refresh of a game that was last changed before this run of
// the program, for a message that shows more of it than is recorded: an earlier run may
// have ended before it could record that. It returns the game as it would have been
// recorded, so that it is not posted a second time. The record is read again after
// Discord was asked, which can take a while. The error is Discord's silence, or the
// store's.
func (k *Keeper) adopt(ctx context.Context, games Games, r *storage.Record) (found storage.Record, err error) {
	k.mu.Lock()
	if k.began.IsZero() {
		k.began = k.opt.Now()
	}
	look := r.Place.Outside == "" && r.Behind() && r.Match.Changed.Before(k.began) && !k.looked[r.Match.ID]
	k.mu.Unlock()
	if !look {
		return *r, nil
	}
	above := r.Screen.Version
	if r.Screen.Channel != r.Place.Channel && above > 0 {
		above-- // the game has just moved here, perhaps without a new version
	}
	message, version, err := k.opt.Poster.Board(ctx, r.Place.Channel, r.Match.ID, above)
	if err != nil && !refusal(err) {
		return *r, err
	}
	k.mu.Lock()
	k.looked[r.Match.ID] = true
	k.mu.Unlock()
	now, held := games.Saw(ctx, r.Match.ID, version)
	if held != nil {
		return *r, held
	}
	*r, found = now, now
	if err == nil && message != "" && message != r.Screen.Film && message != r.Screen.Review {
		found.Screen.Channel, found.Screen.Message = r.Place.Channel, message
	}
	return found, nil
}
