// What draws the reader's attention: notices about other channels, and texts for
// screen readers.

import { h, byId } from './dom.js';
import { t } from './words.js';
import { channelLabel } from './state.js';

/** Says that who mentioned the reader in a place; show() goes there. */
export function notice(place, who, show) {
  const words = t('mentioned', { who, where: '\u0000' }).split('\u0000');
  const text = !place.guild ? [t('wroteYou', { who })] : [words[0], h('b', {}, channelLabel(place)), words[1]];
  const element = h('div', { class: 'notice', 'data-testid': 'notice', 'data-channel-id': place.id },
    h('span', { 'aria-hidden': 'true' }, '🔔'), h('span', { class: 'notice-text' }, text),
    h('button', { type: 'button', class: 'notice-show', 'data-testid': 'notice-show', onclick: () => { element.remove(); show(); } }, t('show')),
    h('button', { type: 'button', class: 'notice-close', 'data-testid': 'notice-close', 'aria-label': t('close'), onclick: () => { element.remove(); } }, '✕'));
  dropNotices(place.id);
  byId('notices').prepend(element);
}

/** Takes away the notices about a channel. */
export function dropNotices(id) {
  for (const shown of document.querySelectorAll(`[data-testid=notice][data-channel-id="${id}"]`)) shown.remove();
}

/** Tells a screen reader what somebody wrote. */
export function announce(who, text) {
  byId('announcer').replaceChildren(h('p', {}, `${who}: ${text}`));
}
