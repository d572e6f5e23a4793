// The line at the bottom: plain text, or a command with its options. Whether a
// command is typed, pasted or chosen from the list, it becomes the same form.

import { h } from './dom.js';
import { t } from './words.js';
import { Suggestions } from './suggestions.js';
import { filterCommands, findCommand, splitOptions, filterNamed, asTyped, optionType } from './commands.js';

const autocompleteDelay = 150; // ms after the last key

export class Composer {
  /**
   * page gives: say(text), run(command, options), complete(command, options,
   * name, text), people(), channels(). say and run return a promise; if it is
   * rejected, the error's message is shown and the text is kept.
   */
  constructor(form, page) {
    this.page = page;
    this.form = form;
    this.commands = [];
    this.command = null;
    this.fields = []; // {option, element, input, value}
    this.moved = false; // the last key moved in the list
    this.asked = 0; // counts the lists, so that a late answer finds out that it is late

    this.list = new Suggestions(form, {
      inputs: () => [this.tail, ...this.fields.map((field) => field.input)],
      input: () => this.#focused()?.input ?? this.tail,
    });
    this.error = h('div', { class: 'composer-error', role: 'alert', 'data-testid': 'composer-error', hidden: true });
    this.slash = h('button', { type: 'button', class: 'slash', 'data-testid': 'composer-commands', onclick: () => this.#toggleCommands() }, '/');
    this.pill = h('span', { class: 'command-pill', 'data-testid': 'composer-command', hidden: true });
    this.fieldBox = h('span', { class: 'fields' });
    this.tail = this.#input({ id: 'composer-input', class: 'composer-input', 'data-testid': 'composer-input', maxlength: 2000 });
    this.sendButton = h('button', { type: 'button', class: 'send', 'data-testid': 'composer-send', onclick: () => this.#submit() });
    form.append(this.list.element, this.error, h('div', { class: 'composer-box' }, this.slash, this.pill, this.fieldBox, this.tail, this.sendButton));

    // Enter is handled as a key, since it can also accept a suggestion.
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', (event) => this.#typed(event.target));
    form.addEventListener('keydown', (event) => this.#key(event));
    form.addEventListener('focusin', (event) => { if (event.target.matches('input')) { this.list.closed = false; this.#suggest(); } });
    form.addEventListener('focusout', (event) => { if (!form.contains(event.relatedTarget)) this.#hide(); });
    form.querySelector('.composer-box').addEventListener('mousedown', (event) => {
      if (!event.target.closest('input, button')) { event.preventDefault(); this.tail.focus(); }
    });
  }

  /** Sets what can be typed here. where is the channel as shown, "#board-room". */
  setContext({ commands, where, canWrite, short }) {
    this.commands = commands;
    this.where = where;
    this.canWrite = canWrite;
    this.short = short;
    // An open form survives a new registration if the command is the same.
    if (this.command) {
      const again = commands.find((command) => command.path === this.command.path);
      if (!again || JSON.stringify(again) !== JSON.stringify(this.command)) this.clear();
    }
    this.#show();
  }

  /** Opens the form of a command: start('lasca play', 'level:4'). False when there is no such command. */
  start(path, text = '') {
    const command = this.commands.find((candidate) => candidate.path === path) ?? findCommand(this.commands, `/${path}`)?.command;
    if (!command) return false;
    this.clear();
    this.#open(command, text);
    return true;
  }

  clear() {
    this.command = null;
    this.fields = [];
    this.fieldBox.replaceChildren();
    this.tail.value = '';
    this.#fail('');
    this.#show();
    this.#hide();
  }

  focus() {
    this.tail.focus();
  }

  #input(attributes) {
    return h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list', 'aria-controls': 'composer-list', enterkeyhint: 'send', ...attributes });
  }

  #show() {
    const { command } = this;
    this.form.classList.toggle('typing-command', !command && this.tail.value.startsWith('/'));
    this.pill.hidden = !command;
    this.pill.textContent = command ? command.label : '';
    this.slash.setAttribute('aria-label', t('openCommands'));
    this.slash.title = t('openCommands');
    this.sendButton.setAttribute('aria-label', t('send'));
    this.sendButton.replaceChildren(h('kbd', { 'aria-hidden': 'true' }, this.short ? '➤' : t('enter')));
    this.list.element.setAttribute('aria-label', command ? t('options') : t('commands'));
    const placeholder = this.short ? t('placeholderShort', { where: this.where }) : t('placeholder', { where: this.where });
    const open = command && this.#remaining().length > 0;
    this.tail.placeholder = command ? (open ? t('moreOptions') : '') : this.canWrite ? placeholder : t('placeholderNobody', { where: this.where });
    this.tail.setAttribute('aria-label', command ? t('moreOptions') : placeholder);
    this.tail.classList.toggle('narrow', Boolean(command));
    this.tail.disabled = !this.canWrite;
    this.slash.disabled = !this.canWrite;
  }

  #fail(text, input) {
    this.error.hidden = !text;
    this.error.textContent = text;
    for (const field of this.fields) field.input.setAttribute('aria-invalid', Boolean(text) && field.input === input);
    input?.focus();
    if (text) this.#hide(); // one message at a time
  }

  #toggleCommands() {
    if (this.command || this.tail.value.startsWith('/')) this.clear();
    else this.tail.value = '/';
    this.tail.focus();
    this.list.closed = false;
    this.#suggest();
  }

  #remaining() {
    return this.command.options.filter((option) => !this.fields.some((field) => field.option.name === option.name));
  }

  // --- from text to a form -------------------------------------------------

  #open(command, text) {
    this.command = command;
    this.fields = [];
    this.fieldBox.replaceChildren();
    const { fields, rest } = splitOptions(command, text);
    // A value without a name, as in "/lasca move c3-d4", is that of the first option that has to be there.
    const unnamed = rest && command.options.find((option) => option.required && !fields.some((field) => field.option === option));
    for (const option of command.options) {
      const given = fields.find((field) => field.option === option);
      if (option.required || given) this.#addField(option, given?.text ?? (option === unnamed ? rest : ''));
    }
    this.tail.value = unnamed ? '' : rest;
    this.#show();
    const empty = this.fields.find((field) => field.option.required && field.input.value === '');
    this.list.closed = false;
    const target = this.tail.value ? this.tail : empty?.input ?? this.tail;
    target.focus();
    this.#suggest();
  }

  #addField(option, text = '') {
    const input = this.#input({ class: 'field-input', 'data-testid': 'command-field', 'data-option': option.name, 'aria-label': `${option.label}: ${option.description}`, 'aria-required': option.required, maxlength: 6000 });
    const element = h('label', { class: 'field', title: option.description }, h('span', { class: 'field-name' }, option.label), input);
    const field = { option, element, input, value: undefined };
    this.fields.push(field);
    this.fieldBox.append(element);
    input.value = text;
    this.#resolve(field);
    this.#size(field);
    return field;
  }

  /** Gives an option a value, in its field if it has one. */
  #setField(option, text) {
    const field = this.fields.find((other) => other.option === option);
    if (!field) return this.#addField(option, text);
    field.input.value = text;
    this.#resolve(field);
    this.#size(field);
    return field;
  }

  #removeField(field) {
    this.fields = this.fields.filter((other) => other !== field);
    field.element.remove();
    this.#show();
  }

  #size(field) {
    field.input.size = Math.max(4, Math.min(28, field.input.value.length + 1));
  }

  #typed(input) {
    this.list.closed = false;
    this.#fail('');
    // A whole line, typed or pasted anywhere, begins anew.
    const found = findCommand(this.commands, input.value);
    if (found?.closed) return this.#open(found.command, found.rest);
    if (!this.command) {
      // Not a whole command yet, or plain text.
    } else if (input === this.tail) {
      const { fields, rest } = splitOptions(this.command, this.tail.value);
      if (fields.length) {
        this.tail.value = rest;
        const given = fields.map(({ option, text }) => this.#setField(option, text));
        this.#show();
        given.at(-1).input.focus();
      }
    } else {
      const field = this.fields.find((candidate) => candidate.input === input);
      // Somebody types on as in a line: "user:" names this field again, "4 colour:" begins the next one.
      const { fields, rest } = splitOptions(this.command, input.value);
      const own = fields.find(({ option }) => option === field.option);
      const fresh = fields.filter(({ option }) => !this.fields.some((other) => other.option === option));
      if (own || fresh.length) input.value = own ? own.text : rest;
      this.#resolve(field);
      this.#size(field);
      const added = fresh.map(({ option, text }) => this.#addField(option, text));
      this.#show();
      added.at(-1)?.input.focus();
    }
    this.#suggest();
  }

  /** Finds the value that the text stands for; undefined while it stands for none. */
  #resolve(field) {
    const text = field.input.value.trim();
    const { option } = field;
    const exact = (list) => list.find((entry) => entry.name.toLocaleLowerCase() === text.replace(/^[@#]/, '').toLocaleLowerCase() || String(entry.value) === text)?.value;
    field.value = undefined;
    if (text === '') return;
    if (option.autocomplete) field.value = exact(field.suggested ?? []) ?? asTyped(option, text);
    else {
      const list = this.#choices(field);
      field.value = list ? exact(list) : asTyped(option, text);
    }
  }

  /** The values that an option can have; null if any text will do. */
  #choices({ option }) {
    if (option.choices?.length) return option.choices;
    switch (option.type) {
      case optionType.boolean: return [{ name: t('yes'), value: true }, { name: t('no'), value: false }];
      case optionType.user:
      case optionType.mentionable: return this.page.people().map((user) => ({ name: user.name, value: user.id, note: user.username }));
      case optionType.channel: return this.page.channels().map((channel) => ({ name: channel.name, value: channel.id }));
      default: return null;
    }
  }

  // --- suggestions ---------------------------------------------------------

  #focused() {
    return this.fields.find((field) => field.input === document.activeElement);
  }

  #suggest() {
    const field = this.command && this.#focused();
    const text = (field?.input ?? this.tail).value;
    this.form.classList.toggle('typing-command', !this.command && text.startsWith('/'));
    this.asked++;
    if (!this.command) {
      if (!text.startsWith('/')) return this.#list([]);
      const found = filterCommands(this.commands, text.slice(1));
      return this.#list(found.map((command) => ({
        name: `/${command.label}`, note: command.description, hook: command.path, accept: () => this.#open(command, ''),
      })), 0, found.length ? '' : t('noCommand', { text }));
    }
    if (!field) {
      const query = text.toLocaleLowerCase();
      const options = this.#remaining().filter((option) => option.label.toLocaleLowerCase().startsWith(query) || option.name.startsWith(query));
      return this.#list(options.map((option) => ({
        name: option.label, note: option.description, badge: option.required ? t('required') : t('optional'), hook: option.name,
        accept: () => { this.tail.value = ''; const added = this.#addField(option); this.#show(); added.input.focus(); },
      })), text ? 0 : -1);
    }
    if (field.option.autocomplete) return this.#autocomplete(field);
    const list = this.#choices(field);
    if (!list) return this.#list([], -1, field.option.description, true);
    // A field that already has a value offers all of them, so that it can be changed.
    const fitting = field.value !== undefined ? list : filterNamed(list, text);
    const at = field.value !== undefined ? fitting.findIndex((choice) => choice.value === field.value) : text || field.option.required ? 0 : -1;
    this.#list(fitting.map((choice) => this.#choiceItem(field, choice)), at, fitting.length ? '' : t('noMatch', { text }));
  }

  #choiceItem(field, choice) {
    return { name: choice.name, note: choice.note ?? '', hook: String(choice.value), accept: () => this.#accept(field, choice) };
  }

  #accept(field, choice) {
    field.input.value = choice.name;
    field.value = choice.value;
    if (field.option.autocomplete) field.suggested = [choice];
    this.#size(field);
    this.#fail('');
    const next = this.fields.find((other) => other.option.required && other.value === undefined);
    (next?.input ?? this.tail).focus();
    this.#suggest();
  }

  #autocomplete(field) {
    const asked = this.asked;
    if (!this.list.items.length) this.#list([], -1, t('loading'), true);
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      if (asked !== this.asked) return; // the form is closed, or a later key asks
      let choices = [];
      let note = '';
      try {
        choices = await this.page.complete(this.command, this.#values(field), field.option.name, field.input.value);
      } catch (error) {
        note = error.message;
      }
      if (asked !== this.asked || this.#focused() !== field) return; // a later key has asked again
      field.suggested = choices;
      this.#resolve(field);
      const at = field.input.value ? 0 : -1;
      this.#list(choices.map((choice) => this.#choiceItem(field, choice)), at, choices.length ? '' : note || t('noMatch', { text: field.input.value }));
    }, autocompleteDelay);
  }

  /** With quiet, the option is named without its description. */
  #list(items, active = 0, note = '', quiet = false) {
    const option = this.command && this.#focused()?.option;
    const title = option ? { name: option.label, description: quiet ? '' : option.description } : {};
    this.list.show(items, { active, note, title });
  }

  #hide() {
    this.asked++;
    this.#list([]);
  }

  // --- keys ----------------------------------------------------------------

  #key(event) {
    if (!event.target.matches('input') || event.isComposing) return;
    const field = this.#focused();
    const { list } = this;
    const open = list.items.length > 0;
    const { key } = event;
    if (open && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault();
      list.move(key === 'ArrowDown' ? 1 : -1);
      this.moved = true;
      return;
    }
    const moved = this.moved;
    this.moved = false;
    if (key === 'Escape') {
      event.preventDefault();
      if (!list.hidden) { list.closed = true; this.#hide(); }
      else if (this.command) this.clear();
    } else if (key === 'Tab' && !event.shiftKey && open && list.active >= 0 && (moved || !this.#settled(field))) {
      event.preventDefault();
      list.accept();
    } else if (key === 'Enter') {
      event.preventDefault();
      if (open && list.active >= 0 && (moved || !this.#settled(field)) && !this.#exactCommand()) list.accept();
      else this.#submit();
    } else if (key === 'Backspace' && event.target.value === '' && this.command) {
      event.preventDefault();
      const optional = this.fields.findLast((candidate) => !candidate.option.required);
      if (field && !field.option.required) { this.#removeField(field); this.tail.focus(); }
      else if (!field && optional) optional.input.focus();
      else { const { path } = this.command; this.clear(); this.tail.value = `/${path}`; this.tail.focus(); }
      this.#suggest();
    }
  }

  /** True if the field has a value already, so that Enter and Tab need not take one from the list. */
  #settled(field) {
    return Boolean(field) && field.value !== undefined && !(field.option.autocomplete && field.suggested === undefined);
  }

  /** True if the text is a whole command that can run as it is. */
  #exactCommand() {
    if (this.command || this.moved) return false;
    const found = findCommand(this.commands, this.tail.value);
    return found && !found.rest && !found.command.options.some((option) => option.required);
  }

  // --- sending -------------------------------------------------------------

  #values(except) {
    return Object.fromEntries(this.fields.filter((field) => field !== except && field.value !== undefined).map((field) => [field.option.name, field.value]));
  }

  async #submit() {
    if (this.busy || !this.canWrite) return;
    const text = this.tail.value.trim();
    let work;
    if (this.command) {
      const problem = this.#check(text);
      if (problem) return this.#fail(...problem);
      work = () => this.page.run(this.command, this.#values());
    } else if (text.startsWith('/')) {
      const found = findCommand(this.commands, text);
      if (!found) return this.#fail(t('noCommand', { text }), this.tail);
      if (found.rest || found.command.options.some((option) => option.required)) return this.#open(found.command, found.rest);
      work = () => this.page.run(found.command, {});
    } else if (text) {
      work = () => this.page.say(text);
    } else return;
    this.#hide();
    this.#setBusy(true);
    try {
      await work();
      this.clear();
    } catch (error) {
      this.#fail(error.message, this.tail);
    } finally {
      this.#setBusy(false);
    }
  }

  #setBusy(busy) {
    this.busy = busy;
    this.form.setAttribute('aria-busy', busy);
    for (const input of this.form.querySelectorAll('input')) input.readOnly = busy;
  }

  /** What prevents the command from running: [text, input], or null. */
  #check(text) {
    if (text) return [t('unknownOption', { text }), this.tail];
    const missing = this.command.options.find((option) => option.required && !this.fields.some((field) => field.option === option));
    if (missing) return [t('needOption', { name: missing.label }), this.#addField(missing).input];
    for (const field of this.fields) {
      const { option, input, value } = field;
      if (value !== undefined) continue;
      if (input.value.trim() === '') {
        if (option.required) return [t('needOption', { name: option.label }), input];
        continue; // an empty optional field is not sent
      }
      const range = { name: option.label, min: option.min, max: option.max };
      if (option.min !== undefined && option.max !== undefined && !this.#choices(field)) return [t('rangeOption', range), input];
      const number = option.type === optionType.integer || option.type === optionType.number;
      return [t(number && !this.#choices(field) ? 'numberOption' : 'chooseOption', { name: option.label }), input];
    }
    return null;
  }
}
