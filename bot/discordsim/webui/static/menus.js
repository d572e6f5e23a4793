// Small menus that open at a button: who the reader is, and what can be done with
// a person.

import { h } from './dom.js';

let open = null;

const roleOf = (item) => (item.checked !== undefined ? 'menuitemradio' : item.toggled !== undefined ? 'menuitemcheckbox' : 'menuitem');
const checkedOf = ({ checked, toggled = checked }) => (toggled === undefined ? null : String(toggled));

/**
 * Opens a menu below the anchor. items are {label, name, note, icon, href, act,
 * title, checked, toggled, data}: an item with title is a heading, one with href a
 * link, the rest are buttons that call act; checked is for one of several choices,
 * toggled for a switch. data are attributes; name is what a screen
 * reader says instead of the label. The arrow keys move; Escape and a press
 * elsewhere close the menu.
 */
export function openMenu(anchor, { name, hook, items }) {
  const again = open?.anchor === anchor;
  closeMenu();
  if (again) return;
  const menu = h('div', { class: 'menu', role: 'menu', 'aria-label': name, 'data-testid': hook });
  for (const item of items) {
    const inside = [item.icon, h('span', { class: 'menu-label' }, item.label), item.note && h('small', { class: 'muted' }, item.note)];
    if (item.title) menu.append(h('div', { class: 'menu-title', role: 'presentation' }, inside));
    else if (item.href) {
      menu.append(h('a', { class: 'menu-item', role: 'menuitem', tabindex: '-1', 'aria-label': item.name, href: item.href, target: '_blank', rel: 'noopener', onclick: () => closeMenu(), ...item.data }, inside));
    } else {
      menu.append(h('button', {
        type: 'button', class: 'menu-item', role: roleOf(item), 'aria-checked': checkedOf(item), tabindex: '-1',
        onclick: () => { closeMenu(true); item.act(); }, ...item.data,
      }, inside));
    }
  }
  menu.addEventListener('keydown', (event) => {
    const all = [...menu.querySelectorAll('.menu-item')];
    const at = all.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all[(to + all.length) % all.length].focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      closeMenu(true);
    }
  });
  document.body.append(menu);
  const at = anchor.getBoundingClientRect();
  const size = menu.getBoundingClientRect();
  const clamp = (value, most) => Math.max(8, Math.min(value, most));
  const below = at.bottom + 6 + size.height < innerHeight;
  menu.style.left = `${clamp(at.right - size.width > 8 && at.left > innerWidth / 2 ? at.right - size.width : at.left, innerWidth - size.width - 8)}px`;
  menu.style.top = `${clamp(below ? at.bottom + 6 : at.top - size.height - 6, innerHeight - size.height - 8)}px`;
  anchor.setAttribute('aria-expanded', 'true');
  open = { anchor, menu };
  (menu.querySelector('[role=menuitemradio][aria-checked=true]') ?? menu.querySelector('.menu-item'))?.focus({ preventScroll: true });
}

/** Closes the open menu, if any. With back, its button gets the focus again. */
export function closeMenu(back = false) {
  if (!open) return;
  const { anchor, menu } = open;
  open = null;
  menu.remove();
  anchor.setAttribute('aria-expanded', 'false');
  if (back) anchor.focus({ preventScroll: true });
}

document.addEventListener('pointerdown', (event) => {
  if (open && !open.menu.contains(event.target) && !open.anchor.contains(event.target)) closeMenu();
});
window.addEventListener('resize', () => closeMenu());
