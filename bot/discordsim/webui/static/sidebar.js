// The columns beside the conversation: the channels with what is unread, and the
// people.

import { h, avatar } from './dom.js';
import { t, mentionCount, languageName } from './words.js';
import { state } from './state.js';

/** Draws the channel list. unread(channel) gives {mentions, fresh}; open(id) goes there. */
export function drawChannels(root, { channels, guilds, current, unread, open }) {
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.channelId : null;
  const line = (channel) => {
    const { mentions, fresh } = unread(channel);
    const here = channel.id === current;
    const mark = { dm: '', group: '👥', thread: '⤷', forum: '▤', text: '#' }[channel.kind];
    return h('li', {}, h('button', {
      type: 'button', class: ['channel', channel.kind, here && 'here', fresh && 'fresh'].filter(Boolean).join(' '),
      'data-testid': 'channel', 'data-channel-id': channel.id, 'aria-current': here ? 'page' : null, onclick: () => open(channel.id),
    },
    channel.kind === 'dm' ? avatar(channel.recipient, 'small') : null,
    h('span', { class: 'channel-name' }, mark ? `${mark} ` : '', channel.name),
    channel.locked || channel.archived ? h('span', { class: 'channel-lock' }, h('span', { 'aria-hidden': 'true' }, channel.locked ? '🔒' : '🗄'),
      h('span', { class: 'visually-hidden' }, t(channel.locked ? 'locked' : 'archived'))) : null,
    mentions > 0 ? h('span', { class: 'badge', 'data-testid': 'badge' }, h('span', { 'aria-hidden': 'true' }, mentions), h('span', { class: 'visually-hidden' }, mentionCount(mentions))) : null));
  };
  const group = (title, list) => (list.length ? [h('h2', {}, title), h('ul', {}, list.map(line))] : []);
  const threadsAfter = (list) => list.filter((channel) => channel.kind === 'text' || channel.kind === 'forum')
    .flatMap((channel) => [channel, ...list.filter((thread) => thread.kind === 'thread' && thread.parent === channel.id).sort((a, b) => a.archived - b.archived)]);
  root.replaceChildren(
    ...guilds.flatMap((guild) => group(guildTitle(guild, guilds), threadsAfter(channels.filter((channel) => channel.guild === guild.id)))),
    ...group(t('directMessages'), channels.filter((channel) => !channel.guild)));
  if (focused) root.querySelector(`[data-channel-id="${focused}"]`)?.focus({ preventScroll: true });
}

/** The heading over a server's channels. */
function guildTitle(guild, guilds) {
  if (guild.foreign) return t('foreign', { guild: guild.name, who: state.bot.name });
  return guilds.length > 1 ? guild.name : t('channels');
}

/** Draws the people; press(user, button) opens what can be done with one. */
export function drawPeople(root, { users, me, press }) {
  root.replaceChildren(h('h2', {}, t('people')), h('ul', {}, users.map((user) => h('li', {}, h('button', {
    type: 'button', class: 'person', 'data-testid': 'person', 'data-user-id': user.id, 'aria-haspopup': 'menu', 'aria-expanded': 'false',
    onclick: (event) => press(user, event.currentTarget),
    oncontextmenu: (event) => { event.preventDefault(); press(user, event.currentTarget); },
  }, avatar(user, 'medium'), h('span', {},
    h('span', { class: 'person-name' }, user.id === me.id ? `${user.name} (${t('you')})` : user.name),
    h('small', { class: 'muted' }, personNote(user))))))));
}

/** The line below a name: the language, or that it is the bot. */
export function personNote(user) {
  return user.bot ? t('bot') : `${languageName(user.locale)}`;
}
