// The messages of one channel. The list keeps its elements and changes only what
// differs, so that an edit neither moves the page nor takes the focus away.

import { h, avatar, compareIds } from './dom.js';
import { markdown, onlyEmoji } from './markdown.js';
import { components } from './components.js';
import { t, clock } from './words.js';

const sameBreath = 5 * 60 * 1000; // messages of one author this close share a head

export class MessageList {
  /**
   * page gives: user(id), commandLabel(path), person(id, anchor), press(message,
   * customId), select(message, customId, values), dismiss(message), people(), channels(types),
   * openMessage(channel, id), and markdown, the context of markdown().
   */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.entries = new Map(); // id -> {message, element, parts, pending}
    this.order = [];
    this.gone = new Set(); // ids of removed messages: a late answer must not bring one back
  }

  /**
   * Shows these messages and keeps the elements of those already shown. What
   * arrived after they were read (a higher revision) stays.
   */
  reset({ revision, messages }) {
    const keep = new Set(messages.map((message) => message.id));
    for (const [id, { message }] of this.entries) {
      if (!keep.has(id) && !message.local && message.revision < revision) this.#drop(id);
    }
    for (const message of messages) this.#put(message);
    this.#arrange();
  }

  /** Forgets everything, for another channel. */
  clear() {
    this.entries.clear();
    this.gone.clear();
    this.order = [];
    this.root.replaceChildren();
  }

  upsert(message) {
    this.#put(message);
    this.#arrange();
  }

  remove(id) {
    this.gone.add(id);
    this.#drop(id);
    this.#arrange();
  }

  get(id) {
    return this.entries.get(id)?.message;
  }

  element(id) {
    return this.entries.get(id)?.element;
  }

  get size() {
    return this.entries.size;
  }

  /** Marks a message's components as busy; customId is the one pressed, null ends it. */
  setPending(id, customId) {
    const entry = this.entries.get(id);
    if (!entry) return;
    entry.pending = customId;
    this.#showPending(entry);
  }

  /** Shows a sentence under a message until it changes or the next press; '' takes it away. */
  setFailure(id, text) {
    const entry = this.entries.get(id);
    if (!entry) return;
    entry.parts.failure.hidden = !text;
    entry.parts.failure.textContent = text;
  }

  #drop(id) {
    this.entries.get(id)?.element.remove();
    this.entries.delete(id);
  }

  #put(message) {
    let entry = this.entries.get(message.id);
    if (this.gone.has(message.id) || entry?.message.revision > message.revision) return;
    if (!entry) {
      entry = this.#create(message);
      this.entries.set(message.id, entry);
    }
    this.#update(entry, message);
  }

  #create(message) {
    const parts = {
      context: h('div', { class: 'context', hidden: true }),
      head: h('div', { class: 'message-head' }),
      lock: h('div', { class: 'lock', hidden: true }),
      content: h('div', { class: 'content', 'data-testid': 'content' }),
      files: h('div', { class: 'files' }),
      components: h('div', { class: 'components' }),
      failure: h('div', { class: 'failure', 'data-testid': 'failure', role: 'alert', hidden: true }),
    };
    const element = h('li', { class: 'message', 'data-testid': 'message', 'data-message-id': message.id },
      h('div', { class: 'face' }, avatar(message.author)),
      h('article', { class: 'body' }, parts.context, parts.head, h('div', { class: 'bubble' }, parts.lock, parts.content, parts.files, parts.components), parts.failure));
    return { message: {}, element, parts, seen: {}, pending: null };
  }

  /** Runs draw only when what it draws changed. */
  #when(entry, name, data, draw) {
    const signature = JSON.stringify(data);
    if (entry.seen[name] === signature) return;
    entry.seen[name] = signature;
    draw();
  }

  #update(entry, message) {
    entry.message = message;
    const { parts, element } = entry;
    const { page } = this;
    element.classList.toggle('private', message.private);
    element.classList.toggle('thinking', message.loading);
    element.dataset.private = message.private;
    element.dataset.edited = message.edited;

    this.#when(entry, 'head', [message.author, message.at, message.command], () => {
      parts.head.replaceChildren(
        h('button', { type: 'button', class: 'author', onclick: (event) => page.person(message.author.id, event.currentTarget) }, message.author.name),
        h('time', { class: 'muted when', datetime: new Date(message.at).toISOString() }, clock(message.at)));
      parts.context.hidden = !message.command;
      if (message.command) {
        parts.context.textContent = t('used', { who: page.user(message.command.user).name, command: `/${page.commandLabel(message.command.name)}` });
      }
    });
    this.#when(entry, 'lock', message.private, () => {
      parts.lock.hidden = !message.private;
      parts.lock.replaceChildren(h('span', { 'aria-hidden': 'true' }, '🔒 '), t('onlyYou'), ' · ',
        h('button', { type: 'button', class: 'dismiss', 'data-testid': 'dismiss', onclick: () => page.dismiss(message) }, t('dismiss')));
    });
    parts.content.classList.toggle('large', onlyEmoji(message.content));
    this.#when(entry, 'content', [message.content, message.loading, message.failed, message.edited], () => {
      if (message.loading) {
        parts.content.replaceChildren(h('span', { class: 'muted' }, t('thinking', { who: message.author.name })), h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')));
      } else if (message.failed) {
        parts.content.replaceChildren(h('span', { class: 'failure' }, t('noAnswer')));
      } else {
        parts.content.replaceChildren(...(message.content ? markdown(message.content, page.markdown) : []));
        if (message.edited && message.content && !message.author.bot) parts.content.append(' ', h('small', { class: 'muted' }, t('edited')));
      }
    });
    this.#when(entry, 'files', [message.newLayout, message.attachments], () => this.#files(entry));
    this.#when(entry, 'components', message.components, () => {
      const focused = parts.components.contains(document.activeElement) ? document.activeElement.dataset.customId : null;
      parts.components.replaceChildren(...components(message.components, {
        press: (customId) => page.press(message, customId),
        select: (customId, values) => page.select(message, customId, values),
        markdown: (text) => markdown(text, page.markdown),
        people: page.people,
        channels: page.channels,
        openMessage: page.openMessage,
        media: (url, description) => this.#media(message, url, description),
      }));
      // Somebody who plays by keyboard stays at the buttons.
      if (focused !== null) {
        const buttons = [...parts.components.querySelectorAll('[data-custom-id]:not(:disabled)')];
        (buttons.find((button) => button.dataset.customId === focused) ?? buttons[0])?.focus({ preventScroll: true });
      }
      this.setFailure(message.id, '');
    });
    this.#showPending(entry);
  }

  #showPending(entry) {
    const busy = entry.pending !== null;
    entry.parts.components.setAttribute('aria-busy', busy);
    for (const control of entry.parts.components.querySelectorAll('[data-custom-id]')) {
      // aria-disabled keeps the focus where it is; the page itself ignores the press.
      control.toggleAttribute('data-waiting', busy);
      if (busy) control.setAttribute('aria-disabled', 'true');
      else control.removeAttribute('aria-disabled');
      control.classList.toggle('pressed', busy && control.dataset.customId === entry.pending);
    }
  }

  #files(entry) {
    const { message, parts } = entry;
    const wanted = message.newLayout ? [] : message.attachments;
    const shown = [...parts.files.children];
    wanted.forEach((file, i) => {
      const old = shown[i];
      if (!old) parts.files.append(fileElement(file));
      else if (old.dataset.fileId !== file.id) swap(old, file);
    });
    for (const extra of shown.slice(wanted.length)) extra.remove();
  }

  #media(message, url, description) {
    const name = url.replace('attachment://', '');
    const file = message.attachments.find((attachment) => attachment.filename === name);
    return file ? fileElement({ ...file, description: description || file.description }) : h('span', { class: 'muted' }, name);
  }

  #arrange() {
    const sorted = [...this.entries.values()].sort((a, b) =>
      Boolean(a.message.local) - Boolean(b.message.local) || compareIds(a.message.id, b.message.id));
    let previous = null;
    sorted.forEach((entry, i) => {
      const { message, element } = entry;
      const joined = previous && previous.author.id === message.author.id && !message.command && !message.author.bot
        && previous.private === message.private && message.at - previous.at < sameBreath;
      element.classList.toggle('joined', Boolean(joined));
      if (this.root.children[i] !== element) this.root.insertBefore(element, this.root.children[i] ?? null);
      previous = message;
    });
    this.order = sorted.map((entry) => entry.message.id);
  }
}

function fileElement(file) {
  if (!file.picture) {
    return h('div', { class: 'file', 'data-file-id': file.id },
      h('a', { href: file.url, download: file.filename, 'data-testid': 'file' }, file.filename), h('small', { class: 'muted' }, ` ${kilobytes(file.size)}`));
  }
  const image = h('img', { src: file.url, alt: file.description || file.filename, decoding: 'async', 'data-testid': 'picture' });
  const box = h('a', { class: 'picture', 'data-file-id': file.id, href: file.url, target: '_blank', rel: 'noopener', tabindex: '-1' }, image);
  reserve(box, image, file);
  return box;
}

/** Reserves the picture's space before it is loaded. */
function reserve(box, image, file) {
  if (!file.width || !file.height) return;
  image.width = file.width;
  image.height = file.height;
  box.style.setProperty('--width', file.width);
  box.style.setProperty('--height', file.height);
}

/** Replaces a file by another one; a picture only when it can be drawn, so that nothing flashes. */
function swap(old, file) {
  const fresh = fileElement(file);
  old.dataset.fileId = file.id;
  const image = fresh.querySelector('img');
  if (!image || !old.classList.contains('picture')) return old.replaceWith(fresh);
  image.decode().catch(() => {}).then(() => {
    if (old.isConnected && old.dataset.fileId === file.id) old.replaceWith(fresh);
  });
}

function kilobytes(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`;
}
