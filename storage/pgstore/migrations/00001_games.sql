-- Keys are bytea: they sort by their bytes, as in every store, and may hold any of them.
-- A moment is 12 bytes that sort as the times do, in any year. A body is a value as
-- package stored encodes it.

-- +goose Up
create table games (
	id bytea primary key,
	version bigint not null,
	live boolean not null, -- not finished
	seat0 bytea not null,
	seat1 bytea not null,
	guild bytea not null,
	channel bytea not null,
	changed bytea not null,
	-- when which kind of work is due
	due_machine bytea,
	due_screen bytea,
	due_expiry bytea,
	due_removal bytea,
	due_reminder bytea,
	due_clock bytea,
	due_rating bytea,
	body bytea not null
) with (fillfactor = 70);
create index games_seat0 on games (seat0, live) where seat0 <> '';
create index games_seat1 on games (seat1, live) where seat1 <> '';
create index games_channel on games (channel) where live;
create index games_guild on games (guild, id) where guild <> '';
create index games_due_machine on games (due_machine, id) where due_machine is not null;
create index games_due_screen on games (due_screen, id) where due_screen is not null;
create index games_due_expiry on games (due_expiry, id) where due_expiry is not null;
create index games_due_removal on games (due_removal, id) where due_removal is not null;
create index games_due_reminder on games (due_reminder, id) where due_reminder is not null;
create index games_due_clock on games (due_clock, id) where due_clock is not null;
create index games_due_rating on games (due_rating, id) where due_rating is not null;

create table settings (key bytea primary key, body bytea not null);
create table notes (key bytea primary key, body bytea not null);

create table ratings (
	scope bytea not null,
	person bytea not null,
	value double precision not null,
	body bytea not null,
	primary key (scope, person)
);
create index ratings_ranking on ratings (scope, value desc, person);
create index ratings_person on ratings (person);

create table outcomes (
	person bytea not null,
	at bytea not null,
	game bytea not null,
	scope bytea not null,
	opponent bytea not null,
	body bytea not null,
	primary key (person, at, game)
);
create index outcomes_opponent on outcomes (opponent) where opponent <> '';

-- The changes of the last minutes, by a number that each draws by lot: whoever did not
-- hear whether its change was made finds out here.
create table operations (
	id bigint primary key,
	fenced boolean not null default false, -- it was not made, and never will be
	at timestamptz not null default now()
);
create index operations_at on operations using brin (at);

-- +goose Down
drop table games, settings, notes, ratings, outcomes, operations;
