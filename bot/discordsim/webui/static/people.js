// The menus about people: who the reader is, and what can be done with somebody.

import { h, avatar, byId } from './dom.js';
import { t } from './words.js';
import { state, user, humans, available, tabOf } from './state.js';
import { openMenu } from './menus.js';
import { personNote } from './sidebar.js';

const identity = 'lasca-playground-as'; // in sessionStorage: each tab is a person of its own

/** The user name that this tab is for, null when it has not been said. */
export const rememberedName = () => new URLSearchParams(location.search).get('as') ?? sessionStorage.getItem(identity);

export const rememberName = (name) => sessionStorage.setItem(identity, name);

/** Forgets a user who does not exist, and loads the page as the first one. */
export function forgetName() {
  const known = rememberedName();
  sessionStorage.removeItem(identity);
  if (known) location.replace(location.pathname);
}

function become(person) {
  if (person.id === state.me.id) return;
  rememberName(person.username);
  location.assign(tabOf(person));
  // If only the part after # differs, assigning loads nothing.
  if (new URLSearchParams(location.search).get('as') === person.username) location.reload();
}

let change = () => {};

/** Calls set(name, on) when the reader changes what they decide about the application. */
export function onSwitch(set) { change = set; }

/** What the reader decides about the application, as entries of a menu. */
function switches() {
  const entry = (name, on, label) => ({
    label, icon: h('span', { class: 'menu-check', 'aria-hidden': 'true' }, on ? '☑' : '☐'), toggled: on, act: () => change(name, !on),
    data: { 'data-testid': 'user-setting', 'data-name': name },
  });
  return [
    { title: true, label: t('yourApp', { who: state.bot.name }) },
    entry('installed', state.me.installed, t('installed')),
    entry('dmClosed', state.me.dmClosed, t('dmClosed')),
  ];
}

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
    ...switches(),
  ],
}));

/** Opens what can be done with a person: write(), unless it is the reader, and run(command, person) for its user commands. */
export function openPerson(who, anchor, { write, run }) {
  const target = typeof who === 'string' ? user(who) : who;
  const items = [{ title: true, icon: avatar(target, 'small'), label: target.name, note: personNote(target) }];
  if (target.id !== state.me.id) items.push({ label: t('writeTo', { name: target.name }), act: write, data: { 'data-testid': 'write-to' } });
  const commands = available('user');
  if (commands.length) items.push({ title: true, label: t('apps') });
  for (const command of commands) {
    items.push({
      label: command.label, note: state.bot.name, icon: avatar(state.bot, 'small'), act: () => run(command, target),
      data: { 'data-testid': 'user-command', 'data-command': command.path },
    });
  }
  openMenu(anchor, { name: target.name, hook: 'person-menu', items });
}
