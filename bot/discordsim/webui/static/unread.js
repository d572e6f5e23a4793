// What a person has not read yet. The marks are in the browser's storage, so
// that several tabs of one person share them.

import { compareIds } from './dom.js';
import { state } from './state.js';

const readKey = () => `lasca-playground-read-${state.me.id}`;

let marks = null; // channel -> the newest message read

function readMarks() {
  try { marks = JSON.parse(localStorage.getItem(readKey())) ?? marks; } catch { /* no storage: this tab keeps its own marks */ }
  // On the first visit only mentions are news.
  marks ??= Object.fromEntries(state.channels.filter((place) => place.mentions.length === 0).map((place) => [place.id, place.last]));
  return marks;
}

/** What is new in a channel: {mentions: their number, fresh: whether anything is}. */
export function unread(place) {
  const mark = readMarks()[place.id] || '0';
  return {
    mentions: place.mentions.filter((id) => compareIds(id, mark) > 0).length,
    fresh: Boolean(place.last) && compareIds(place.last, mark) > 0,
  };
}

/** Remembers that a channel was read to its end. True if anything in it was unread. */
export function setRead(place) {
  if (compareIds(place.last, readMarks()[place.id] || '0') <= 0) return false;
  marks[place.id] = place.last;
  try { localStorage.setItem(readKey(), JSON.stringify(marks)); } catch { /* private window: unread again after a reload */ }
  return true;
}
