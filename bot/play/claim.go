package play

import (
	"context"
	"strconv"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Standing says whether a message is where it was.
type Standing uint8

// What Discord says when it is asked for a message.
const (
	Stands  Standing = iota
	Gone             // somebody has deleted it
	Hidden           // Discord does not let the application look
	Unknown          // there was no answer, or one that says nothing
)

// proven returns a claim as it counts: what told the opponent of their turn must still
// be there, since a board that a moderator has deleted tells nobody anything. Discord
// says nothing when that happens, so it is asked when it matters. The error wraps
// [ErrBoardGone], which has been recorded, so that a refresh posts the board anew; or
// [ErrUnsure]; or it is the one that the claim has anyhow. The caller holds the game's
// screen.
func (s *Service) proven(ctx context.Context, r *storage.Record, claim match.Claim) (match.Claim, error) {
	if _, err := r.Match.Apply(claim, s.opt.Now()); err != nil {
		return claim, err
	}
	if r.Place.Outside != "" {
		return claim, nil // the button was offered on the board itself: [Claimable]
	}
	screen, look := r.Screen, s.PublicLook(ctx, r)
	switch s.opt.Screen.Standing(ctx, r, look, screen.Message) {
	case Stands:
	case Gone:
		r.Screen.Message, r.Screen.Teller, r.Screen.Turn, r.Screen.Told = "", "", time.Time{}, time.Time{}
		if err := s.opt.Store.Shown(ctx, r.Match.ID, r.Screen); err != nil {
			return claim, err
		}
		return claim, ErrBoardGone
	default:
		return claim, ErrUnsure
	}
	if screen.Teller == "" || screen.Teller == screen.Message {
		return claim, nil
	}
	// The board has been posted again since. The old message leads to it, and is asked
	// for too: otherwise a deleted board could be replaced just before the claim. Where
	// the application may not look, the board itself has to do.
	switch s.opt.Screen.Standing(ctx, r, look, screen.Teller) {
	case Unknown:
		return claim, ErrUnsure
	case Gone:
		if at := s.posted(screen.Message); at.After(screen.Told) {
			r.Screen.Told = at
		}
		r.Screen.Teller = screen.Message
		if err := s.opt.Store.Shown(ctx, r.Match.ID, r.Screen); err != nil {
			return claim, err
		}
		claim.Told = r.Told()
	}
	return claim, nil
}

// Claimable reports whether a win can be claimed by somebody who looks at a message with
// the game's board for everybody, "" for none. Where the bot is not, nobody can be asked
// whether that board is still there, so the press on it has to show that.
func Claimable(r *storage.Record, message string) bool {
	return r.Place.Outside == "" || message != "" && message == r.Screen.Message
}

// posted returns when Discord made a message, which its ID says; now where it does not.
func (s *Service) posted(message string) time.Time {
	n, err := strconv.ParseUint(message, 10, 63)
	if err != nil {
		return s.opt.Now().UTC()
	}
	return time.UnixMilli(int64(n>>22) + discordEpoch).UTC()
}
