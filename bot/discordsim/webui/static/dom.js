// Building blocks of the page. Text is always put in as text nodes, so nothing
// that a person or the bot writes can become markup.

/**
 * Makes an element: h('button', {type: 'button', class: 'x', onclick: f}, 'text', node).
 * Properties that begin with "on" are listeners. Null, false and undefined are left out.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** The round letter that stands for a person. */
export function avatar(user, extra = '') {
  return h('span', { class: `avatar tone-${user.tone} ${extra}`, 'aria-hidden': 'true' }, [...(user.name || '?')][0].toUpperCase());
}

/**
 * One of the application's own emoji as a picture. Where it is gone, its name stays.
 */
export function appEmoji(id, name) {
  const image = h('img', { class: 'app-emoji', 'data-testid': 'app-emoji', src: `emojis/${id}`, alt: `:${name}:`, title: `:${name}:`, draggable: 'false' });
  image.addEventListener('error', () => image.replaceWith(`:${name}:`));
  return image;
}

/** The text of an element as it is read out: pictures count by their descriptions. */
export function spoken(element) {
  const copy = element.cloneNode(true);
  for (const image of copy.querySelectorAll('img')) image.replaceWith(image.alt);
  return copy.textContent;
}

/** Compares snowflake ids by age; as numbers they would lose digits. */
export function compareIds(a, b) {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Matches in the one-column layout. */
export const phone = window.matchMedia('(max-width: 759px)');
