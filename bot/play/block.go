package play

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// MaxBlocks is how many people one person may block.
const MaxBlocks = 500

// blocksKey is the note of the people that a person blocks.
func blocksKey(u match.UserID) string { return "blocks " + string(u) }

// blockMark stands for a blocked person in the note of the one who blocks. It is
// not the ID: after somebody has had their data deleted, no note names them, and
// yet they stay blocked.
func blockMark(by, blocked match.UserID) string {
	sum := sha256.Sum256([]byte(string(by) + " blocks " + string(blocked)))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// blockList returns the marks of those whom a person blocks.
func (s *Service) blockList(ctx context.Context, who match.UserID) (list []string, err error) {
	return list, s.Note(ctx, blocksKey(who), &list)
}

// blocks reports whether a person blocks another.
func (s *Service) blocks(ctx context.Context, who, other match.UserID) (bool, error) {
	list, err := s.blockList(ctx, who)
	return slices.Contains(list, blockMark(who, other)), err
}

// Block keeps another person from challenging this one, or allows it again.
// Running games go on. The error wraps [ErrTooManyBlocks], [ErrUnfinished],
// [ErrOvertaken] or match.ErrSelf.
func (s *Service) Block(ctx context.Context, by Caller, other match.UserID, on bool) error {
	who := by.ID
	if who == other {
		return match.ErrSelf
	}
	unlock, err := s.lockPeople(ctx, who)
	if err != nil {
		return err
	}
	defer unlock()
	mark := blockMark(who, other)
	for {
		d, err := s.departures(ctx)
		if err == nil {
			err = d.refuse(by.Asked, who)
		}
		if err != nil {
			return err
		}
		var list []string
		text, err := s.readNote(ctx, blocksKey(who), &list)
		switch {
		case err != nil:
			return err
		case slices.Contains(list, mark) == on:
			return nil
		case on && len(list) >= MaxBlocks:
			return ErrTooManyBlocks
		case on:
			list = append(list, mark)
		default:
			list = slices.DeleteFunc(list, func(m string) bool { return m == mark })
		}
		var next any
		if len(list) > 0 {
			next = list
		}
		err = s.SaveNote(ctx, blocksKey(who), next, d.basis(), storage.Basis{Notes: map[string][]byte{blocksKey(who): text}})
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}

// DeclineAndBlock blocks the challenger of a challenge to this person. It declines
// nothing: [Service.Act] does that afterwards, so that a block holds even where the
// challenge has gone. The error is as for [Service.Find] and [Service.Block], or
// match.ErrNotChallenged.
func (s *Service) DeclineAndBlock(ctx context.Context, who Caller, in intent.Block) (storage.Record, error) {
	r, seat, err := s.Find(ctx, who, in.Ref)
	switch {
	case err != nil:
		return r, err
	case r.Match.By == seat:
		return r, match.ErrNotChallenged
	}
	return r, s.Block(ctx, who, r.Match.Seats[r.Match.By].User, true)
}
