package i18n

// Words that sentences are composed of.
const (
	ColorWhite  Key = "color.white"
	ColorBlack  Key = "color.black"
	ListOr      Key = "list.or"
	MachineAt   Key = "machine.level"
	Someone     Key = "someone"
	Deleted     Key = "deleted"
	RulesKawu   Key = "rules.kawu"
	RulesMind   Key = "rules.mindsports"
	RulesLasker Key = "rules.lasker"
)

// The board message.
const (
	BoardTitle      Key = "board.title"
	BoardTurn       Key = "board.turn"
	BoardCapture    Key = "board.capture"
	BoardOnly       Key = "board.only"
	BoardWhere      Key = "board.where"
	BoardThinking   Key = "board.thinking"
	BoardOffer      Key = "board.offer"
	BoardOfferBot   Key = "board.offer.machine"
	BoardRequest    Key = "board.request"
	NoteDrawRefused Key = "note.draw.refused"
	NoteUndoRefused Key = "note.undo.refused"
	NoteTakenBack   Key = "note.taken.back"
)

// How games end.
const (
	EndNoMoves     Key = "end.nomoves"
	EndRepetition  Key = "end.repetition"
	EndNoProgress  Key = "end.noprogress"
	EndAgreement   Key = "end.agreement"
	EndResignation Key = "end.resignation"
	EndAbandonment Key = "end.abandonment"
	EndAborted     Key = "end.aborted"
)

// Challenges.
const (
	ChallengeText      Key = "challenge.text"
	ChallengeWhite     Key = "challenge.white"
	ChallengeBlack     Key = "challenge.black"
	ChallengeLots      Key = "challenge.lots"
	ChallengeDeclined  Key = "challenge.declined"
	ChallengeWithdrawn Key = "challenge.withdrawn"
	ChallengeExpired   Key = "challenge.expired"
)

// Buttons.
const (
	ButtonHint       Key = "button.hint"
	ButtonUndo       Key = "button.undo"
	ButtonDraw       Key = "button.draw"
	ButtonResign     Key = "button.resign"
	ButtonMore       Key = "button.more"
	ButtonBack       Key = "button.back"
	ButtonOnly       Key = "button.only"
	ButtonAllow      Key = "button.allow"
	ButtonRefuse     Key = "button.refuse"
	ButtonAgree      Key = "button.agree"
	ButtonDisagree   Key = "button.disagree"
	ButtonAccept     Key = "button.accept"
	ButtonDecline    Key = "button.decline"
	ButtonWithdraw   Key = "button.withdraw"
	ButtonYesResign  Key = "button.resign.yes"
	ButtonNoResign   Key = "button.resign.no"
	ButtonRematch    Key = "button.rematch"
	ButtonText       Key = "button.text"
	ButtonReplay     Key = "button.replay"
	ButtonReview     Key = "button.review"
	ButtonFilm       Key = "button.film"
	ButtonMySide     Key = "button.myside"
	ButtonAbort      Key = "button.abort"
	ButtonClaim      Key = "button.claim"
	ButtonPlay       Key = "button.play"
	ButtonRules      Key = "button.rules"
	ButtonNext       Key = "button.next"
	ButtonPrevious   Key = "button.previous"
	ButtonShow       Key = "button.show"
	ButtonGames      Key = "button.games"
	ButtonLetters    Key = "button.letters"
	ButtonPictures   Key = "button.pictures"
	ButtonPlayHint   Key = "button.play.hint"
	ButtonExport     Key = "button.export"
	ButtonDelete     Key = "button.delete"
	ButtonYesDelete  Key = "button.delete.yes"
	ButtonNoDelete   Key = "button.delete.no"
	ButtonThemeWood  Key = "button.theme.wood"
	ButtonThemeDark  Key = "button.theme.dark"
	ButtonThemeSharp Key = "button.theme.contrast"
)

// Private answers.
const (
	ResignAsk    Key = "resign.ask"
	ResignKept   Key = "resign.kept"
	MoreTitle    Key = "more.title"
	MoreClaim    Key = "more.claim"
	MySideTitle  Key = "myside.title"
	GameTextHead Key = "gametext.title"
	FilmTitle    Key = "film.title"
	GamesTitle   Key = "games.title"
	GamesNone    Key = "games.none"
	GamesYour    Key = "games.your"
	GamesWaiting Key = "games.waiting"
	GamesAnswer  Key = "games.answer"
	GamesOpen    Key = "games.open"
	GamesMore    Key = "games.more"
	LookDone     Key = "look.done"
	LookServer   Key = "look.server"
	Done         Key = "done"
)

// What is stored about a person.
const (
	DataTitle        Key = "data.title"
	DataNothing      Key = "data.nothing"
	DataGames        Key = "data.games"
	DataRunning      Key = "data.running"
	DataOpen         Key = "data.open"
	DataFinished     Key = "data.finished"
	DataEach         Key = "data.each"
	DataLook         Key = "data.look"
	DataKeepFinished Key = "data.keep.finished"
	DataKeepEver     Key = "data.keep.ever"
	DataKeepRemoved  Key = "data.keep.removed"
	DataKeepCopies   Key = "data.keep.copies"
	DataNot          Key = "data.not"
	DataExport       Key = "data.export"
	DataExportCut    Key = "data.export.cut"
	DataAsk          Key = "data.ask"
	DataAskAgain     Key = "data.ask.again"
	DataKept         Key = "data.kept"
	DataDeleted      Key = "data.deleted"
	DataDeleting     Key = "data.deleting"
	DataRemains      Key = "data.remains"
	DataRemainCopies Key = "data.remain.copies"
	DataRemainOthers Key = "data.remain.others"
	DataNotAsked     Key = "data.notasked"
)

// Reviews of finished games.
const (
	ReviewTitle  Key = "review.title"
	ReviewTurn   Key = "review.turn"
	ReviewSteady Key = "review.steady"
	AltGraph     Key = "alt.graph"
	ReplayTitle  Key = "replay.title"
	AltReplay    Key = "alt.replay"
)

// Hints.
const (
	HintMove     Key = "hint.move"
	HintWhy      Key = "hint.why"
	HintOnly     Key = "hint.only"
	HintTakes    Key = "hint.takes"
	HintFrees    Key = "hint.frees"
	HintPromotes Key = "hint.promotes"
	HintThen     Key = "hint.then"
	EvalEven     Key = "eval.even"
	EvalSlight   Key = "eval.slight"
	EvalClear    Key = "eval.clear"
	EvalWinning  Key = "eval.winning"
	EvalForced   Key = "eval.forced"
)

// Positions in words.
const (
	AltBoard       Key = "alt.board"
	AltSide        Key = "alt.side"
	AltNone        Key = "alt.none"
	AltTurn        Key = "alt.turn"
	AltLast        Key = "alt.last"
	AltPrevious    Key = "alt.previous"
	AltMust        Key = "alt.must"
	AltPicked      Key = "alt.picked"
	AltPartial     Key = "alt.partial"
	AltTargets     Key = "alt.targets"
	AltHint        Key = "alt.hint"
	AltOver        Key = "alt.over"
	PieceSoldier   Key = "piece.soldier"
	PieceOfficer   Key = "piece.officer"
	PieceWhiteSold Key = "piece.white.soldier"
	PieceWhiteOff  Key = "piece.white.officer"
	PieceBlackSold Key = "piece.black.soldier"
	PieceBlackOff  Key = "piece.black.officer"
	AltFilm        Key = "alt.film"
	LettersLegend  Key = "letters.legend"
	AltBottomWhite Key = "alt.bottom.white"
	AltBottomBlack Key = "alt.bottom.black"
	AltResult      Key = "alt.result"
	AltResultDrawn Key = "alt.result.drawn"
)

// What went wrong, and what to do.
const (
	ErrInternal     Key = "error.internal"
	ErrOutdated     Key = "error.outdated"
	ErrStale        Key = "error.stale"
	ErrNoSuchGame   Key = "error.nosuchgame"
	ErrNoGameHere   Key = "error.nogamehere"
	ErrNotPlayer    Key = "error.notplayer"
	ErrNotTurn      Key = "error.notturn"
	ErrThinking     Key = "error.thinking"
	ErrNotForYou    Key = "error.notforyou"
	ErrNotYours     Key = "error.notyours"
	ErrNotAccepted  Key = "error.notaccepted"
	ErrNotProposed  Key = "error.notproposed"
	ErrQuestions    Key = "error.questions"
	ErrTooFast      Key = "error.toofast"
	ErrNoHints      Key = "error.nohints"
	ErrFinished     Key = "error.finished"
	ErrNoOffer      Key = "error.nooffer"
	ErrOfferStands  Key = "error.offerstands"
	ErrOfferTooSoon Key = "error.offertoosoon"
	ErrNoRequest    Key = "error.norequest"
	ErrAskedAlready Key = "error.askedalready"
	ErrNothingUndo  Key = "error.nothingtoundo"
	ErrTooLate      Key = "error.toolate"
	ErrTooEarly     Key = "error.tooearly"
	ErrSelf         Key = "error.self"
	ErrRobot        Key = "error.robot"
	ErrUs           Key = "error.us"
	ErrTooMany      Key = "error.toomany"
	ErrTooManyGames Key = "error.toomanygames"
	ErrManage       Key = "error.manage"
	ErrDraining     Key = "error.draining"
	ErrStorage      Key = "error.storage"
	ErrDisk         Key = "error.disk"
	ErrOptions      Key = "error.options"
	ErrBusy         Key = "error.busy"
	ErrDeleted      Key = "error.deleted"
	ErrNoAttach     Key = "error.noattach"
)

// What is wrong with a move that somebody typed.
const (
	MoveNotSquare  Key = "move.notsquare"
	MoveLight      Key = "move.light"
	MoveMissing    Key = "move.missing"
	MoveTooLong    Key = "move.toolong"
	MoveEmpty      Key = "move.empty"
	MoveNotYours   Key = "move.notyours"
	MoveCapture    Key = "move.capture"
	MoveUnfinished Key = "move.unfinished"
	MoveGoesOn     Key = "move.goeson"
	MoveEnds       Key = "move.ends"
	MoveSeveral    Key = "move.several"
	MoveCannot     Key = "move.cannot"
	MoveStuck      Key = "move.stuck"
)

// Help and the rules.
const (
	HelpText   Key = "help.text"
	RulesPages Key = "rules.page"
	Rules1     Key = "rules.text.1"
	Rules2     Key = "rules.text.2"
	Rules3     Key = "rules.text.3"
	Rules4     Key = "rules.text.4"
	Rules5     Key = "rules.text.5"
)
