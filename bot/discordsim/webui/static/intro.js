// The card for newcomers: who they are, a few commands, and a second person.

import { h, phone } from './dom.js';
import { t } from './words.js';
import { state, humans, available, tabOf } from './state.js';
import { findCommand, splitOptions } from './commands.js';

/** Draws the card, or hides it when it was closed or is not needed; start(path, rest) begins a command. */
export function drawIntro(intro, { needed, start }) {
  const key = `lasca-playground-intro-${state.me.id}`;
  intro.hidden = sessionStorage.getItem(key) === 'closed' || !needed;
  if (intro.hidden) return;
  const close = () => {
    sessionStorage.setItem(key, 'closed');
    intro.hidden = true;
  };
  const other = humans().find((person) => person.id !== state.me.id);
  const examples = state.examples.map((line) => findCommand(available('slash'), line)).filter(Boolean);
  const [before, after] = t('introTwo').split('{link}');
  intro.replaceChildren(
    h('button', { type: 'button', class: 'close', 'aria-label': t('close'), onclick: close }, '✕'),
    h('h2', {}, t('introTitle')),
    h('p', {}, examples.length ? t('introText', { name: state.me.name, key: phone.matches ? '➤' : t('enter') }) : t('introNone', { name: state.me.name, bot: state.bot.name })),
    h('ul', {}, examples.map((found) => h('li', {},
      h('button', { type: 'button', class: 'command-mention', 'data-testid': 'example', onclick: () => start(found.command.path, found.rest) }, localLine(found)),
      h('span', { class: 'muted' }, found.command.description)))),
    other ? h('p', {}, before, h('a', { href: tabOf(other), target: '_blank', rel: 'noopener', 'data-testid': 'second-tab' }, t('secondTab', { name: other.name })), after) : '');
}

/** A command line in the reader's names: "/lasca play level:4" may be "/lasca spielen stufe:4". */
function localLine({ command, rest }) {
  const options = splitOptions(command, rest).fields.map(({ option, text }) => ` ${option.label}:${text}`);
  return `/${command.label}${options.join('')}`;
}
