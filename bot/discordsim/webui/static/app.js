// The page: it reads what there is, draws it, and follows the changes. Everything
// shown comes from the server; after every (re)connection it is read again from
// the start.

import { h, avatar, byId, compareIds, phone, spoken } from './dom.js';
import { t, useLocale } from './words.js';
import { Api, ApiError } from './api.js';
import { state, user, channel, channelLabel, commandLabel, available } from './state.js';
import { MessageList } from './messages.js';
import { Composer } from './composer.js';
import { Actions } from './actions.js';
import { markdown, refreshTimes } from './markdown.js';
import { findCommand } from './commands.js';
import { scroller, atEnd, measure, keepPlace, inSight } from './scroll.js';
import { unread, setRead } from './unread.js';
import { closeDrawer } from './drawer.js';
import { notice, dropNotices, announce } from './notices.js';
import { drawIntro } from './intro.js';
import { drawChannels, drawPeople } from './sidebar.js';
import { rememberedName, rememberName, forgetName, openPerson, onSwitch } from './people.js';

const api = new Api(rememberedName());
const list = new MessageList(byId('messages'), {
  user, commandLabel, person, dismiss,
  press: (message, customId) => actions.press(message, customId),
  select: (message, customId, values) => actions.select(message, customId, values),
  people: peopleOptions, channels: channelOptions,
  markdown: { mention, channel: channelMention, message: messageMention, command: commandMention },
  openMessage: enter,
});
const actions = new Actions({
  api, list, change,
  fields: { people: peopleOptions, channels: channelOptions, markdown: (text) => markdown(text, list.page.markdown) },
});
const composer = new Composer(byId('composer'), {
  say: (text) => actions.say(text),
  run: (command, options) => actions.run(command, options),
  complete: (...asked) => actions.complete(...asked),
  people: () => state.users,
  channels: () => state.channels.filter((place) => place.guild),
});

/** Everybody, as options of a menu. */
function peopleOptions() {
  return state.users.map((person) => ({ label: person.name, value: person.id }));
}

/** The channels of the current server of some types (all if there are none), as options of a menu. */
function channelOptions(types) {
  const numbers = { text: 0, thread: 11, forum: 15 };
  return state.channels.filter((place) => place.guild && place.guild === channel()?.guild && (types.length === 0 || types.includes(numbers[place.kind])))
    .map((place) => ({ label: channelLabel(place), value: place.id }));
}

// --- reading -----------------------------------------------------------------

async function loadState() {
  const loaded = await api.get('state');
  const first = !state.me;
  Object.assign(state, loaded);
  if (first) {
    api.as = state.me.id;
    rememberName(state.me.username);
    useLocale(state.me.locale);
  }
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (!channel()) {
    const start = channel(wanted) ?? state.channels.find((candidate) => candidate.name === wanted) ?? state.channels[0];
    state.current = start?.id ?? null;
  }
  draw();
}

/** Reads the current channel again; entered says that the reader just came to it. */
async function loadMessages(entered) {
  const id = state.current;
  if (!id) return;
  const loaded = await api.get('messages', { channel: id });
  if (id !== state.current) return; // the reader went on
  if (entered) list.clear(); // an empty list is at its end
  change(() => list.reset(loaded));
}

async function refresh() {
  try {
    const before = state.current;
    await loadState();
    await loadMessages(list.size === 0 || before !== state.current);
    document.body.dataset.ready = 'true';
    byId('connection').hidden = state.botOnline;
    byId('connection').textContent = t('noBot', { who: state.bot.name });
  } catch (error) {
    if (error.code === 'unknown_user') return forgetName();
    lost();
    if (!(error instanceof ApiError)) throw error; // a bug of the page: show it in the console
  }
}

function lost() {
  byId('connection').hidden = false;
  byId('connection').textContent = t('offline');
}

// --- drawing -----------------------------------------------------------------

function draw() {
  byId('brand').textContent = state.bot.name;
  byId('brand-note').textContent = t('playground');
  byId('drawer-toggle').setAttribute('aria-label', t('menuOpen'));
  byId('jump-latest').replaceChildren(h('span', { 'aria-hidden': 'true' }, '↓ '), t('latest'));
  byId('user-switch').replaceChildren(h('span', { class: 'you-are' }, t('youAre')), avatar(state.me, 'small'), h('b', {}, state.me.name),
    h('span', { class: 'language' }, state.me.locale.split('-')[0]), h('span', { 'aria-hidden': 'true' }, '▾'));
  byId('user-switch').setAttribute('aria-label', t('switchUser', { name: state.me.name }));
  byId('people').setAttribute('aria-label', t('people'));
  byId('side').setAttribute('aria-label', t('channels'));
  scroller.setAttribute('aria-label', channel() ? channelLabel(channel()) : '');
  drawPeople(byId('people'), { users: state.users, me: state.me, press: person });
  drawSide();
  nameNewPlaces();
  drawIntro(byId('intro'), { needed: list.size <= 6, start: (path, rest) => composer.start(path, rest) });
  drawComposer();
}

function drawSide() {
  let channelBox = byId('channel-list');
  if (!channelBox) byId('side').prepend(channelBox = h('div', { id: 'channel-list' }));
  drawChannels(channelBox, { channels: state.channels, guilds: state.guilds, current: state.current, unread, open: enter });
  const mentions = state.channels.reduce((sum, place) => sum + unread(place).mentions, 0);
  byId('drawer-badge').hidden = mentions === 0;
  document.title = `${mentions ? `(${mentions}) ` : ''}${state.bot.name} ${t('playground')} – ${state.me.name}`;
}

function drawComposer() {
  const place = channel();
  if (!place) return;
  composer.setContext({
    commands: available('slash'),
    where: channelLabel(place), canWrite: place.canWrite, short: phone.matches,
  });
}

/** Changes the list of messages; a reader at its end stays there. */
function change(work) {
  keepPlace(work);
  markRead();
}

/** Remembers that the current channel was read to its end, if it really is in sight. */
function markRead() {
  const place = channel();
  if (!place?.last || document.hidden || !atEnd()) return;
  dropNotices(place.id);
  if (setRead(place)) drawSide();
}

// --- moving between channels -------------------------------------------------

async function enter(id, messageId) {
  closeDrawer();
  if (!channel(id)) return;
  if (id !== state.current) {
    state.current = id;
    history.replaceState(null, '', `${location.search}#${id}`);
    composer.clear();
    list.clear();
    measure(); // an empty list is at its end
    draw();
    try { await loadMessages(true); } catch (error) { lost(); if (!(error instanceof ApiError)) throw error; }
  }
  dropNotices(id);
  const element = messageId && list.element(messageId);
  if (element) {
    element.scrollIntoView({ block: 'nearest' });
    element.classList.add('shown');
    setTimeout(() => element.classList.remove('shown'), 2000);
  }
  measure();
  markRead();
}

async function openDM(person) {
  const { channel: id } = await api.post('dm', { user: person.id });
  await loadState();
  enter(id);
}

onSwitch((name, on) => api.post('switches', { [name]: on }));

// --- people and links in messages ----------------------------------------------

function person(who, anchor) {
  openPerson(who, anchor, {
    write: () => openDM(user(typeof who === 'string' ? who : who.id)),
    run: (command, target) => { closeDrawer(); actions.runOn(command, target); },
  });
}

function mention(id) {
  return h('button', { type: 'button', class: id === state.me.id ? 'mention me' : 'mention', onclick: (event) => person(id, event.currentTarget) }, `@${user(id).name}`);
}

function channelMention(id) {
  const place = channel(id);
  return place ? h('button', { type: 'button', class: 'mention', onclick: () => enter(id) }, channelLabel(place)) : unknownPlace(id);
}

/** Stands for a channel that the reader cannot see, or that the page has not heard of yet. */
function unknownPlace(id, messageId, label) {
  return h('span', { class: 'mention', 'data-place': id, 'data-in-place': messageId, 'data-labelled': label && 'true' }, label ?? `#${t('unknownUser')}`);
}

/** Gives channels their names that have appeared since they were mentioned. */
function nameNewPlaces() {
  for (const chip of document.querySelectorAll('[data-place]')) {
    const { place, inPlace, labelled } = chip.dataset;
    if (channel(place)) chip.replaceWith(inPlace ? messageMention(place, inPlace, labelled && [...chip.childNodes]) : channelMention(place));
  }
}

/** A link to a message, which jumps to it. */
function messageMention(id, messageId, label) {
  const place = channel(id);
  if (!place) return unknownPlace(id, messageId, label);
  return h('button', { type: 'button', class: 'mention', 'data-testid': 'message-mention', onclick: () => enter(id, messageId) }, label ?? [channelLabel(place), h('span', { 'aria-hidden': 'true' }, ' › 💬'), h('span', { class: 'visually-hidden' }, `, ${t('message')}`)]);
}

function commandMention(path) {
  const found = findCommand(available('slash'), `/${path}`);
  return h('button', { type: 'button', class: 'command-mention', 'data-testid': 'command-mention', onclick: () => composer.start(path) }, `/${found ? found.command.label : path}`);
}

async function dismiss(message) {
  try {
    await api.post('dismiss', { channel: message.channel, message: message.id });
    list.remove(message.id);
    composer.focus();
  } catch { refresh(); }
}

// --- events ------------------------------------------------------------------

let reading = 0;
function readAgainSoon() {
  clearTimeout(reading);
  reading = setTimeout(refresh, 50); // many changes at once are read once
}

/** A change in a channel not known yet, such as the first direct message. */
async function afterReading(event) {
  await refresh();
  if (channel(event.channel)) handlers[event.kind](event);
}

/** Tells a screen reader what came or changed. */
function sayAloud(message) {
  if (message.loading || message.author.id === state.me.id) return;
  const element = list.element(message.id)?.querySelector('.content');
  const text = element && spoken(element);
  if (text) announce(message.author.name, text);
}

const handlers = {
  message(event) {
    const { channel: id, message, fresh } = event;
    const place = channel(id);
    if (!place) return afterReading(event);
    if (!message.private && (!place.last || compareIds(message.id, place.last) > 0)) place.last = message.id;
    const others = message.author.id !== state.me.id;
    if (id === state.current) {
      const changed = list.get(message.id)?.content !== message.content;
      change(() => {
        if (fresh) actions.dropLocal(message);
        list.upsert(message);
      });
      actions.arrived(message);
      if (fresh && !atEnd() && others) byId('jump-latest').hidden = false;
      if (changed) sayAloud(message);
    }
    if (fresh && !place.guild && others && !message.private) return handlers.mention({ channel: id, id: message.id });
    drawSide();
  },
  delete({ channel: id, id: messageId }) {
    if (id === state.current) list.remove(messageId);
    const place = channel(id);
    if (place) place.mentions = place.mentions.filter((other) => other !== messageId);
    drawSide();
  },
  mention(event) {
    const { channel: id, id: messageId } = event;
    const place = channel(id);
    if (!place) return afterReading(event);
    if (!place.mentions.includes(messageId)) place.mentions.push(messageId);
    if (id !== state.current || !inSight(list.element(messageId))) {
      notice(place, list.get(messageId)?.author.name ?? state.bot.name, () => enter(place.id, messageId));
    }
    markRead();
    drawSide();
  },
  state: readAgainSoon,
};

api.follow({
  onEvent: (event) => handlers[event.kind]?.(event),
  onReady: refresh,
  onLost: lost,
});
scroller.addEventListener('scroll', markRead, { passive: true });
byId('jump-latest').addEventListener('click', markRead);
phone.addEventListener('change', () => { if (state.me) drawComposer(); });
setInterval(() => refreshTimes(byId('messages')), 20000);
document.addEventListener('visibilitychange', markRead);
document.addEventListener('keydown', (event) => {
  // "/" anywhere goes to the commands, as in the real client.
  if (event.key === '/' && !event.target.closest('input, textarea, select, dialog') && !event.ctrlKey && !event.metaKey && !event.altKey) composer.focus();
});
