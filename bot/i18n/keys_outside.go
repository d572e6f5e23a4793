package i18n

// Where the bot is not and can only answer.
const (
	BoardOutside     Key = "board.outside"
	BoardUnseen      Key = "board.unseen"
	AloneNote        Key = "board.alone"
	MoreClaimThere   Key = "more.claim.there"
	ErrAlone         Key = "error.alone"
	ErrOutside       Key = "error.outside"
	ErrNoAttachYours Key = "error.noattach.yours"
)
