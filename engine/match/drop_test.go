package match

import "testing"

func TestWhatOneHasAskedForCanBeTakenBack(t *testing.T) {
	t.Run("a draw offer", func(t *testing.T) {
		m := do(t, running(t, 2), OfferDraw{white})
		refuse(t, m, DropOffer{black}, t0, ErrNotAsker)
		m = do(t, m, DropOffer{white})
		if m.Offer != nil || m.Notice == nil || *m.Notice != (Notice{DrawDropped, white}) {
			t.Errorf("%+v", m)
		}
		refuse(t, m, AcceptDraw{black}, t0, ErrNoOffer) // a late press
		refuse(t, m, DropOffer{white}, t0, ErrNoOffer)
		refuse(t, m, OfferDraw{white}, t0, ErrOfferTooSoon) // nobody is called again and again
		do(t, m, OfferDraw{black})
		do(t, advance(t, m, DrawPause), OfferDraw{white})
	})
	t.Run("a request to take back", func(t *testing.T) {
		m := do(t, running(t, 3), RequestUndo{white, 2})
		refuse(t, m, RequestUndo{white, 2}, t0, ErrRequestStands)
		refuse(t, m, RequestUndo{black, 1}, t0, ErrRequestWaits)
		refuse(t, m, DropRequest{black}, t0, ErrNotAsker)
		m = do(t, m, DropRequest{white})
		if m.Request != nil || m.Notice == nil || *m.Notice != (Notice{UndoDropped, white}) {
			t.Errorf("%+v", m)
		}
		refuse(t, m, AcceptUndo{black}, t0, ErrNoRequest)
		refuse(t, m, RequestUndo{white, 2}, t0, ErrRequestTooSoon)
		do(t, m, RequestUndo{black, 1})
		m = advance(t, m, UndoPause)
		to, _ := m.UndoPly(white)
		do(t, m, RequestUndo{white, to})
	})
	t.Run("not after the end", func(t *testing.T) {
		m := do(t, running(t, 2), OfferDraw{white}, Resign{black})
		refuse(t, m, DropOffer{white}, t0, ErrFinished)
		refuse(t, m, DropRequest{white}, t0, ErrFinished)
	})
}
