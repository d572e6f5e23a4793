-- +goose Up
create table leases (
	name bytea primary key,
	owner bytea not null,
	note text not null,
	until timestamptz not null
);
create table moments (name bytea primary key, next timestamptz not null);
-- IDs of interactions, and which process is to answer them.
create table claims (id bytea primary key, owner bytea not null, at timestamptz not null default now());
create index claims_at on claims using brin (at);

-- +goose Down
drop table leases, moments, claims;
