package webui

import (
	"crypto/rand"
	"slices"
	"sync"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// maxModals bounds the open forms; the oldest is forgotten first. A person
// rarely has more than one open.
const maxModals = 100

// modalStore keeps the forms that the bot opened until they are sent: the
// simulator needs its own value back. The zero value is ready.
type modalStore struct {
	mu    sync.Mutex
	open  map[string]openModal
	order []string
}

type openModal struct {
	userID string
	modal  *discordsim.Modal
}

// put keeps a form and returns the token by which the page names it.
func (s *modalStore) put(userID string, modal *discordsim.Modal) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[string]openModal{}
	}
	if len(s.order) == maxModals {
		delete(s.open, s.order[0])
		s.order = s.order[1:]
	}
	token := rand.Text()
	s.open[token] = openModal{userID, modal}
	s.order = append(s.order, token)
	return token
}

// get returns the form; false if it is not open or was opened for somebody else.
func (s *modalStore) get(userID, token string) (*discordsim.Modal, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, ok := s.open[token]
	return entry.modal, ok && entry.userID == userID
}

// drop forgets a form that was sent.
func (s *modalStore) drop(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, token)
	s.order = slices.DeleteFunc(s.order, func(other string) bool { return other == token })
}
