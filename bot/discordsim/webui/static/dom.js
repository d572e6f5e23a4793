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

/** Compares snowflake ids by age; as numbers they would lose digits. */
export function compareIds(a, b) {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Matches in the one-column layout. */
export const phone = window.matchMedia('(max-width: 759px)');
