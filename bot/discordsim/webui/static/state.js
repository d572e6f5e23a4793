// What the page knows: who there is, where, and what can be run.

import { t } from './words.js';

/** As the server's /api/state gives it; current is the ID of the channel in view. */
export const state = { me: null, bot: null, users: [], guilds: [], channels: [], commands: [], examples: [], current: null };

export function user(id) {
  return state.users.find((candidate) => candidate.id === id) ?? { id, name: t('unknownUser'), tone: 0 };
}

export const humans = () => state.users.filter((person) => !person.bot);

/** The channel with an ID, by default the current one; undefined when there is none. */
export function channel(id = state.current) {
  return state.channels.find((candidate) => candidate.id === id);
}

export const channelLabel = (place) => ({ dm: `@${place.name}`, group: place.name }[place.kind] ?? `#${place.name}`);

/** "lasca play" as the reader sees it. */
export function commandLabel(path) {
  return state.commands.find((command) => command.path === path)?.label ?? path;
}

/** The commands of a kind ("slash", "user") that can be run in a channel. */
export function available(kind, place = channel()) {
  return state.commands.filter((command) => command.kind === kind && place?.commands.includes(command.id));
}

/** The address of this page as another person. */
export const tabOf = (person) => `${location.pathname}?as=${encodeURIComponent(person.username)}${location.hash}`;
