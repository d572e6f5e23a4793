// The list above the line at the bottom, in which one chooses a command, an
// option or a value.

import { h } from './dom.js';

export class Suggestions {
  /** form contains the list; inputs() gives its inputs, input() the one that the list is for. */
  constructor(form, { inputs, input }) {
    this.form = form;
    this.inputs = inputs;
    this.input = input;
    this.items = [];
    this.active = -1; // the index of the item that Enter takes
    this.closed = false; // by Escape, until the next key
    this.element = h('div', { id: 'composer-list', class: 'popup', role: 'listbox', 'data-testid': 'composer-list', hidden: true });
  }

  get hidden() {
    return this.element.hidden;
  }

  /**
   * Shows items {name, note, badge, hook, accept} below a title {name,
   * description}; without items, the note instead. A title without a
   * description is shown in front of the note only.
   */
  show(items, { active = 0, note = '', title = {} } = {}) {
    this.items = this.closed ? [] : items;
    this.active = this.items.length ? Math.max(-1, active) : -1;
    this.element.replaceChildren();
    const shown = !this.closed && this.form.contains(document.activeElement) && (this.items.length > 0 || note);
    this.element.hidden = !shown;
    for (const input of this.inputs()) {
      input.setAttribute('aria-expanded', Boolean(shown) && input === this.input());
      input.removeAttribute('aria-activedescendant');
    }
    if (!shown) return;
    const { name, description } = title;
    const line = (...parts) => this.element.append(h('div', { class: 'popup-title' }, ...parts));
    if (description) line(h('b', {}, name), ` ${description}`);
    if (this.items.length) this.element.append(...this.items.map((item, i) => this.#row(item, i)));
    else line(name && !description ? [h('b', {}, name), ' '] : null, note);
    this.activate(this.active, true);
  }

  #row(item, i) {
    return h('div', {
      id: `composer-item-${i}`, class: 'popup-item', role: 'option', 'data-testid': 'composer-item', 'data-value': item.hook,
      // mousedown, not click: the input keeps the focus.
      onmousedown: (event) => { event.preventDefault(); item.accept(); },
      onmousemove: () => { if (this.active !== i) this.activate(i, false); },
    }, h('span', { class: 'popup-name' }, item.name), h('span', { class: 'popup-note' }, item.note), item.badge && h('span', { class: 'badge-note' }, item.badge));
  }

  activate(i, scroll) {
    this.active = i;
    const input = this.input();
    this.element.querySelectorAll('[role=option]').forEach((element, k) => {
      element.setAttribute('aria-selected', k === i);
      if (k === i && scroll) element.scrollIntoView({ block: 'nearest' });
    });
    if (i >= 0) input.setAttribute('aria-activedescendant', `composer-item-${i}`);
    else input.removeAttribute('aria-activedescendant');
  }

  /** Goes to the next item (1) or the one before (-1), and from one end to the other. */
  move(step) {
    const n = this.items.length;
    this.activate(this.active < 0 ? (step > 0 ? 0 : n - 1) : (this.active + step + n) % n, true);
  }

  /** Takes the active item. */
  accept() {
    this.items[this.active].accept();
  }
}
