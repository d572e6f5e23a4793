// The page: who am I, where am I, what is there. Everything shown comes from
// the server; after every (re)connection it is read again from the start.

import { h, avatar, byId, compareIds, phone } from './dom.js';
import { t, useLocale } from './words.js';
import { Api, ApiError } from './api.js';
import { MessageList } from './messages.js';
import { Composer } from './composer.js';
import { refreshTimes } from './markdown.js';
import { findCommand, splitOptions } from './commands.js';
import { openMenu } from './menus.js';
import { openModal } from './modal.js';
import { drawChannels, drawPeople, personNote } from './sidebar.js';

const identity = 'lasca-playground-as'; // sessionStorage: each tab is a person of its own
const nearBottom = 48; // px; closer than this counts as being at the end

const state = { me: null, bot: null, users: [], guilds: [], channels: [], commands: [], examples: [], current: null };
const api = new Api(new URLSearchParams(location.search).get('as') ?? sessionStorage.getItem(identity));
const scroller = byId('scroller');
const list = new MessageList(byId('messages'), {
  user, commandLabel, person, press, select, dismiss,
  people: () => state.users,
  markdown: { mention, channel: channelMention, command: commandMention },
});
const composer = new Composer(byId('composer'), {
  say, run, complete,
  people: () => state.users,
  channels: () => state.channels.filter((channel) => channel.kind !== 'dm'),
});

// --- what is known -----------------------------------------------------------

function user(id) {
  return state.users.find((candidate) => candidate.id === id) ?? { id, name: t('unknownUser'), tone: 0 };
}

const humans = () => state.users.filter((person) => !person.bot);

function channel(id = state.current) {
  return state.channels.find((candidate) => candidate.id === id);
}

const channelLabel = (place) => (place.kind === 'dm' ? `@${place.name}` : `#${place.name}`);

/** "lasca play" as the reader sees it. */
function commandLabel(path) {
  return state.commands.find((command) => command.path === path)?.label ?? path;
}

async function loadState() {
  const loaded = await api.get('state');
  const first = !state.me;
  Object.assign(state, loaded);
  if (first) {
    api.as = state.me.id;
    sessionStorage.setItem(identity, state.me.username);
    useLocale(state.me.locale);
  }
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (!channel()) {
    const start = channel(wanted) ?? state.channels.find((candidate) => candidate.name === wanted) ?? state.channels[0];
    state.current = start?.id ?? null;
  }
  draw();
}

/** Reads the current channel again; true means it is a channel just entered. */
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
    if (error.code === 'unknown_user') return forgetIdentity();
    lost();
    if (!(error instanceof ApiError)) throw error; // a fault of the page, to be seen in its console
  }
}

function lost() {
  byId('connection').hidden = false;
  byId('connection').textContent = t('offline');
}

function forgetIdentity() {
  sessionStorage.removeItem(identity);
  if (api.as) location.replace(location.pathname);
}

// --- unread ------------------------------------------------------------------

const readKey = () => `lasca-playground-read-${state.me.id}`;

let marks = null; // channel -> the newest message read

/** Another tab of the same person reads as well, so the marks are shared by the browser. */
function readMarks() {
  try { marks = JSON.parse(localStorage.getItem(readKey())) ?? marks; } catch { /* no storage: this tab's own marks do */ }
  // On the first visit only mentions are news.
  marks ??= Object.fromEntries(state.channels.filter((place) => place.mentions.length === 0).map((place) => [place.id, place.last]));
  return marks;
}

function unread(place) {
  const mark = readMarks()[place.id] || '0';
  return {
    mentions: place.mentions.filter((id) => compareIds(id, mark) > 0).length,
    fresh: Boolean(place.last) && compareIds(place.last, mark) > 0,
  };
}

/** Remembers that the current channel was read to its end, when it really is in sight. */
function markRead() {
  const place = channel();
  if (!place?.last || document.hidden || !atBottom) return;
  dropNotices(place.id);
  if (compareIds(place.last, readMarks()[place.id] || '0') <= 0) return;
  marks[place.id] = place.last;
  try { localStorage.setItem(readKey(), JSON.stringify(marks)); } catch { /* private window: unread again after a reload */ }
  drawSide();
}

// --- drawing -----------------------------------------------------------------

function draw() {
  byId('brand').textContent = state.bot.name;
  byId('brand-note').textContent = t('playground');
  byId('drawer-toggle').setAttribute('aria-label', t('menuOpen'));
  byId('jump-latest').replaceChildren(h('span', { 'aria-hidden': 'true' }, '↓ '), t('latest'));
  byId('user-switch').replaceChildren(h('span', { class: 'you-are' }, t('youAre')), avatar(state.me, 'small'), h('b', {}, state.me.name), h('span', { class: 'language' }, state.me.locale.split('-')[0]), h('span', { 'aria-hidden': 'true' }, '▾'));
  byId('user-switch').setAttribute('aria-label', t('switchUser', { name: state.me.name }));
  byId('people').setAttribute('aria-label', t('people'));
  byId('side').setAttribute('aria-label', t('channels'));
  scroller.setAttribute('aria-label', channel() ? channelLabel(channel()) : '');
  drawPeople(byId('people'), { users: state.users, me: state.me, press: person });
  drawSide();
  drawIntro();
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

/** The commands of a kind that can be run in the current channel. */
function available(kind, place = channel()) {
  return state.commands.filter((command) => command.kind === kind && place?.commands.includes(command.id));
}

function drawIntro() {
  const intro = byId('intro');
  const key = `lasca-playground-intro-${state.me.id}`;
  intro.hidden = sessionStorage.getItem(key) === 'closed' || list.size > 6;
  if (intro.hidden) return;
  const other = humans().find((person) => person.id !== state.me.id);
  const examples = state.examples
    .map((line) => ({ line, found: findCommand(available('slash'), line) }))
    .filter((example) => example.found);
  const [before, after] = t('introTwo').split('{link}');
  intro.replaceChildren(
    h('button', { type: 'button', class: 'close', 'aria-label': t('close'), onclick: () => { sessionStorage.setItem(key, 'closed'); intro.hidden = true; } }, '✕'),
    h('h2', {}, t('introTitle')),
    h('p', {}, t('introText', { name: state.me.name, key: phone.matches ? '➤' : t('enter') })),
    h('ul', {}, examples.map(({ line, found }) => h('li', {},
      h('button', { type: 'button', class: 'command-mention', 'data-testid': 'example', onclick: () => composer.start(found.command.path, found.rest) }, localLine(found)),
      h('span', { class: 'muted' }, found.command.description)))),
    other ? h('p', {}, before, h('a', { href: tabOf(other), target: '_blank', rel: 'noopener', 'data-testid': 'second-tab' }, t('secondTab', { name: other.name })), after) : '');
}

/** A command line in the reader's names: "/lasca play level:4" may be "/lasca spielen stufe:4". */
function localLine({ command, rest }) {
  const options = splitOptions(command, rest).fields.map(({ option, text }) => ` ${option.label}:${text}`);
  return `/${command.label}${options.join('')}`;
}

const tabOf = (person) => `${location.pathname}?as=${encodeURIComponent(person.username)}${location.hash}`;

// --- scrolling ---------------------------------------------------------------

let atBottom = true;

function measure() {
  atBottom = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearBottom;
  if (atBottom) byId('jump-latest').hidden = true;
}

function toBottom() {
  scroller.scrollTop = scroller.scrollHeight;
  atBottom = true;
  byId('jump-latest').hidden = true;
}

scroller.addEventListener('scroll', () => { measure(); markRead(); }, { passive: true });
new ResizeObserver(() => { if (atBottom) toBottom(); }).observe(byId('messages'));
new ResizeObserver(() => { if (atBottom) toBottom(); }).observe(scroller);
byId('jump-latest').addEventListener('click', () => { toBottom(); markRead(); });

/** Changes the list and stays at its end if the reader was there; asked anew, as a scroll event may be on its way. */
function change(work) {
  measure();
  work();
  if (atBottom) toBottom();
  markRead();
}

// --- moving between channels -------------------------------------------------

async function enter(id, messageId) {
  closeDrawer();
  if (!channel(id)) return;
  if (id !== state.current) {
    state.current = id;
    history.replaceState(null, '', `${location.search}#${id}`);
    composer.clear();
    atBottom = true;
    list.clear();
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

const side = byId('side');
function openDrawer() {
  side.classList.add('open');
  byId('backdrop').hidden = false;
  byId('drawer-toggle').setAttribute('aria-expanded', 'true');
  side.querySelector('[aria-current]')?.focus();
}
function closeDrawer() {
  if (!side.classList.contains('open')) return;
  side.classList.remove('open');
  byId('backdrop').hidden = true;
  byId('drawer-toggle').setAttribute('aria-expanded', 'false');
  byId('drawer-toggle').focus();
}
byId('drawer-toggle').addEventListener('click', () => (side.classList.contains('open') ? closeDrawer() : openDrawer()));
byId('backdrop').addEventListener('click', closeDrawer);
side.addEventListener('keydown', (event) => { if (event.key === 'Escape') closeDrawer(); });

function arrange() {
  const people = byId('people');
  if (phone.matches) side.append(people);
  else { closeDrawer(); document.querySelector('.layout').append(people); }
  if (state.me) drawComposer();
}
phone.addEventListener('change', arrange);
arrange();

// --- people ------------------------------------------------------------------

byId('user-switch').addEventListener('click', () => openMenu(byId('user-switch'), {
  name: t('youAre'), hook: 'user-menu',
  items: [
    ...humans().map((person) => ({
      label: person.name, note: personNote(person), icon: avatar(person, 'small'), checked: person.id === state.me.id, act: () => become(person),
      data: { 'data-testid': 'user-choice', 'data-user-id': person.id },
    })),
    { title: true, label: t('inSecondTab') },
    ...humans().filter((person) => person.id !== state.me.id).map((person) => ({
      label: person.name, icon: h('span', { class: 'menu-arrow', 'aria-hidden': 'true' }, '↗'), href: tabOf(person), name: t('secondTab', { name: person.name }),
      data: { 'data-testid': 'user-tab', 'data-user-id': person.id },
    })),
  ],
}));

function become(person) {
  if (person.id === state.me.id) return;
  sessionStorage.setItem(identity, person.username);
  location.assign(tabOf(person));
  // Only the part after # may differ, and that alone loads nothing.
  if (new URLSearchParams(location.search).get('as') === person.username) location.reload();
}

/** What can be done with a person: the bot's user commands, and writing to the bot. */
function person(who, anchor) {
  const target = typeof who === 'string' ? user(who) : who;
  const items = [{ title: true, icon: avatar(target, 'small'), label: target.name, note: personNote(target) }];
  if (target.bot) items.push({ label: t('writeTo', { name: target.name }), act: openDM, data: { 'data-testid': 'write-to' } });
  const commands = available('user');
  if (commands.length) items.push({ title: true, label: t('apps') });
  for (const command of commands) {
    items.push({
      label: command.label, note: state.bot.name, icon: avatar(state.bot, 'small'), data: { 'data-testid': 'user-command', 'data-command': command.path },
      act: () => { closeDrawer(); interaction({ command: command.path, path: 'user-command', body: { command: command.path, user: target.id } }).catch(() => {}); },
    });
  }
  openMenu(anchor, { name: target.name, hook: 'person-menu', items });
}

async function openDM() {
  const { channel: id } = await api.post('dm', {});
  await loadState();
  enter(id);
}

// --- markdown's links into the page --------------------------------------------

function mention(id) {
  return h('button', { type: 'button', class: id === state.me.id ? 'mention me' : 'mention', onclick: (event) => person(id, event.currentTarget) }, `@${user(id).name}`);
}

function channelMention(id) {
  const place = channel(id);
  return place ? h('button', { type: 'button', class: 'mention', onclick: () => enter(id) }, channelLabel(place)) : h('span', { class: 'mention' }, `#${t('unknownUser')}`);
}

function commandMention(path) {
  const found = findCommand(available('slash'), `/${path}`);
  return h('button', { type: 'button', class: 'command-mention', 'data-testid': 'command-mention', onclick: () => composer.start(path) }, `/${found ? found.command.label : path}`);
}

// --- acting ------------------------------------------------------------------

/** The sentence for a failed request. */
function sentence(error) {
  if (!(error instanceof ApiError)) { console.error(error); return t('failed'); }
  switch (error.code) {
    case 'offline': return t('offline');
    case 'no_answer': return t('noAnswer');
    case 'bot_offline': return t('noBot', { who: state.bot.name });
    case 'bad_input': case 'forbidden': return error.message;
    default: return t('failed');
  }
}

let locals = 0;

/** A line of the page itself at the end of the list: a command under way, or one that failed. */
function localMessage(command) {
  const id = `local-${++locals}`;
  return {
    id, local: true, revision: 0, private: false, loading: true, failed: false, author: state.bot, content: '', at: Date.now(), edited: false,
    attachments: [], components: [], command: { user: state.me.id, name: command },
  };
}

/** Takes away the line of a command under way once its answer is there. */
function dropLocal(message) {
  if (message.command?.user !== state.me.id) return;
  const pending = list.order.find((id) => list.get(id).local && list.get(id).loading && list.get(id).command.name === message.command.name);
  if (pending) list.remove(pending);
}

/** Shows what the bot answered first: messages, or a form. */
function answered(reply) {
  change(() => {
    for (const message of reply.messages ?? []) {
      if (message.channel === state.current) list.upsert(message);
    }
  });
  if (reply.modal) openModal(reply.modal.form, (values) => api.post('modal', { modal: reply.modal.token, values }).then(answered, (error) => { throw new Error(sentence(error)); }));
}

/** Sends a command and shows it under way; a failure stays as a line that can be dismissed. */
async function interaction({ command, path, body }) {
  const place = state.current;
  const pending = localMessage(command);
  list.upsert(pending);
  toBottom();
  try {
    const reply = await api.post(path, { channel: place, ...body });
    list.remove(pending.id);
    answered(reply);
  } catch (error) {
    if (error.code === 'bad_input') {
      list.remove(pending.id);
      throw new Error(sentence(error));
    }
    if (place === state.current) {
      list.upsert({ ...pending, loading: false });
      list.setFailure(pending.id, sentence(error));
      const close = h('button', { type: 'button', class: 'dismiss', 'data-testid': 'dismiss', onclick: () => list.remove(pending.id) }, t('dismiss'));
      list.element(pending.id)?.querySelector('.failure').append(' ', close);
      toBottom();
    }
  }
}

function run(command, options) {
  return interaction({ command: command.path, path: 'command', body: { command: command.path, options } });
}

async function say(text) {
  try {
    toBottom();
    answered(await api.post('say', { channel: state.current, text }));
  } catch (error) {
    throw new Error(sentence(error));
  }
}

async function complete(command, options, name, text) {
  try {
    return (await api.post('autocomplete', { channel: state.current, command: command.path, options, option: name, text })).choices;
  } catch (error) {
    throw new Error(sentence(error));
  }
}

const waiting = new Set(); // messages whose component was pressed and not answered yet

async function component(message, customId, path, body) {
  if (waiting.has(message.id)) return;
  waiting.add(message.id);
  list.setFailure(message.id, '');
  list.setPending(message.id, customId);
  try {
    const reply = await api.post(path, { channel: message.channel, message: message.id, component: customId, ...body });
    waiting.delete(message.id);
    list.setPending(message.id, null);
    answered(reply);
  } catch (error) {
    waiting.delete(message.id);
    list.setPending(message.id, null);
    change(() => list.setFailure(message.id, sentence(error)));
  }
}

function press(message, customId) {
  return component(message, customId, 'click', {});
}

function select(message, customId, values) {
  return component(message, customId, 'select', { values });
}

async function dismiss(message) {
  try {
    await api.post('dismiss', { channel: message.channel, message: message.id });
    list.remove(message.id);
    composer.focus();
  } catch { refresh(); }
}

// --- events ------------------------------------------------------------------

function notice(place, messageId) {
  const box = byId('notices');
  const who = list.get(messageId)?.author.name ?? state.bot.name;
  const words = t('mentioned', { who, where: '\u0000' }).split('\u0000');
  const text = place.kind === 'dm' ? [t('wroteYou', { who })] : [words[0], h('b', {}, channelLabel(place)), words[1]];
  const element = h('div', { class: 'notice', 'data-testid': 'notice', 'data-channel-id': place.id },
    h('span', { 'aria-hidden': 'true' }, '🔔'), h('span', { class: 'notice-text' }, text),
    h('button', { type: 'button', class: 'notice-show', 'data-testid': 'notice-show', onclick: () => { element.remove(); enter(place.id, messageId); } }, t('show')),
    h('button', { type: 'button', class: 'notice-close', 'data-testid': 'notice-close', 'aria-label': t('close'), onclick: () => { element.remove(); } }, '✕'));
  dropNotices(place.id);
  box.prepend(element);
}

function dropNotices(id) {
  for (const shown of document.querySelectorAll(`[data-testid=notice][data-channel-id="${id}"]`)) shown.remove();
}

/** Tells a screen reader what came or changed. */
function announce(message) {
  if (message.loading || message.author.id === state.me.id) return;
  const text = list.element(message.id)?.querySelector('.content').textContent;
  if (text) byId('announcer').replaceChildren(h('p', {}, `${message.author.name}: ${text}`));
}

function inSight(id) {
  const element = list.element(id);
  if (!element || document.hidden) return false;
  const at = element.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  return at.bottom > view.top && at.top < view.bottom;
}

let reading = 0;
function readAgainSoon() {
  clearTimeout(reading);
  reading = setTimeout(refresh, 50); // many changes at once are one reading
}

/** A change in a channel not known yet, such as the first direct message. */
async function afterReading(event) {
  await refresh();
  if (channel(event.channel)) handlers[event.kind](event);
}

const handlers = {
  message(event) {
    const { channel: id, message, fresh } = event;
    const place = channel(id);
    if (!place) return afterReading(event);
    if (!message.private && (!place.last || compareIds(message.id, place.last) > 0)) place.last = message.id;
    if (id === state.current) {
      const changed = list.get(message.id)?.content !== message.content;
      change(() => {
        if (fresh) dropLocal(message);
        list.upsert(message);
      });
      if (fresh && !atBottom && message.author.id !== state.me.id) byId('jump-latest').hidden = false;
      if (changed) announce(message);
    }
    if (fresh && place.kind === 'dm' && message.author.id !== state.me.id && !message.private) return handlers.mention({ channel: id, id: message.id });
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
    if (id !== state.current || !inSight(messageId)) notice(place, messageId);
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
setInterval(() => refreshTimes(byId('messages')), 20000);
document.addEventListener('visibilitychange', markRead);
document.addEventListener('keydown', (event) => {
  // "/" anywhere goes to the commands, as in the real client.
  if (event.key === '/' && !event.target.closest('input, textarea, select, dialog') && !event.ctrlKey && !event.metaKey && !event.altKey) composer.focus();
});
