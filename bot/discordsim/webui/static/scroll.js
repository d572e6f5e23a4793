// The scrolling of the conversation: a reader at the end stays at the end, and a
// reader further up is not moved.

import { byId } from './dom.js';

const nearBottom = 48; // px; closer than this counts as being at the end

export const scroller = byId('scroller');

let atBottom = true;

export const atEnd = () => atBottom;

/** Looks where the reader is. */
export function measure() {
  atBottom = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearBottom;
  if (atBottom) byId('jump-latest').hidden = true;
}

export function toBottom() {
  scroller.scrollTop = scroller.scrollHeight;
  atBottom = true;
  byId('jump-latest').hidden = true;
}

/** Changes what is shown. It looks again where the reader is, since a scroll event may be on its way. */
export function keepPlace(work) {
  measure();
  work();
  if (atBottom) toBottom();
}

scroller.addEventListener('scroll', measure, { passive: true });
for (const element of [byId('messages'), scroller]) {
  new ResizeObserver(() => { if (atBottom) toBottom(); }).observe(element);
}
byId('jump-latest').addEventListener('click', toBottom);

/** True when an element is in sight. */
export function inSight(element) {
  if (!element || document.hidden) return false;
  const at = element.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  return at.bottom > view.top && at.top < view.bottom;
}

/** Scrolls as little as it takes to show an element; one that does not fit is shown from its end, where its buttons are. */
export function reveal(element) {
  if (!element) return;
  const at = element.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  if (at.top >= view.top && at.bottom <= view.bottom) return;
  element.scrollIntoView({ block: at.height > view.height ? 'end' : 'nearest' });
  measure();
}
