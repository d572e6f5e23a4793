// What a person does: write, run a command, press a button. The list shows that
// the action is under way, then the bot's first answer or why it failed.

import { h } from './dom.js';
import { t } from './words.js';
import { ApiError } from './api.js';
import { state } from './state.js';
import { toBottom, reveal } from './scroll.js';
import { openModal } from './modal.js';

/** The sentence for a failed request. */
function sentence(error) {
  if (!(error instanceof ApiError)) { console.error(error); return t('failed'); }
  switch (error.code) {
    case 'offline': return t('offline');
    case 'no_answer': return t('noAnswer');
    case 'bot_offline': return t('noBot', { who: state.bot.name });
    case 'bad_input': case 'forbidden': return error.message;
    default: return t('failed');
  }
}

export class Actions {
  /**
   * page gives api, list (a MessageList), change(work), which runs work that changes
   * the list, and fields, the context of openModal().
   */
  constructor({ api, list, change, fields }) {
    this.api = api;
    this.fields = fields;
    this.list = list;
    this.change = change;
    this.locals = 0;
    this.waiting = new Set(); // messages whose component was pressed and not answered yet
    this.expected = new Set(); // own messages that are still "thinking"
  }

  async say(text) {
    try {
      toBottom();
      this.#answered(await this.api.post('say', { channel: state.current, text }));
    } catch (error) {
      throw new Error(sentence(error));
    }
  }

  run(command, options) {
    return this.#interact(command.path, 'command', { command: command.path, options });
  }

  /** Runs a user command; a failure is shown in the list. */
  runOn(command, person) {
    this.#interact(command.path, 'user-command', { command: command.path, user: person.id }).catch(() => {});
  }

  async complete(command, options, name, text) {
    try {
      return (await this.api.post('autocomplete', { channel: state.current, command: command.path, options, option: name, text })).choices;
    } catch (error) {
      throw new Error(sentence(error));
    }
  }

  press(message, customId) {
    return this.#component(message, customId, 'click', {});
  }

  select(message, customId, values) {
    return this.#component(message, customId, 'select', { values });
  }

  /** Takes away the line of a command under way once the message that answers it is there. */
  dropLocal(message) {
    if (message.command?.user !== state.me.id) return;
    const { list } = this;
    const pending = list.order.find((id) => list.get(id).local && list.get(id).loading && list.get(id).command.name === message.command.name);
    if (pending) list.remove(pending);
  }

  /** Brings an own message that was "thinking" into view once it is there. */
  arrived(message) {
    if (message.loading || !this.expected.delete(message.id)) return;
    reveal(this.list.element(message.id));
  }

  /** Shows what the bot answered first, messages or a form, wherever the reader was. */
  #answered(reply) {
    const shown = (reply.messages ?? []).filter((message) => message.channel === state.current);
    this.change(() => {
      for (const message of shown) this.list.upsert(message);
    });
    const result = shown.at(-1); // behind the message whose button was pressed
    if (result) {
      if (this.list.get(result.id)?.loading) this.expected.add(result.id);
      reveal(this.list.element(result.id));
    }
    if (!reply.modal) return;
    openModal(reply.modal.form, (values) => this.api.post('modal', { modal: reply.modal.token, values })
      .then((answer) => this.#answered(answer), (error) => { throw new Error(sentence(error)); }), this.fields);
  }

  /** A line of the page itself at the end of the list: a command under way, or one that failed. */
  #localMessage(command) {
    const id = `local-${++this.locals}`;
    return {
      id, local: true, revision: 0, private: false, loading: true, failed: false, author: state.bot, content: '', at: Date.now(), edited: false,
      attachments: [], components: [], command: { user: state.me.id, name: command },
    };
  }

  /** Sends a command and shows it under way; a failure stays as a line that can be dismissed. */
  async #interact(command, path, body) {
    const { list } = this;
    const place = state.current;
    const pending = this.#localMessage(command);
    list.upsert(pending);
    toBottom();
    try {
      const reply = await this.api.post(path, { channel: place, ...body });
      list.remove(pending.id);
      this.#answered(reply);
    } catch (error) {
      if (error.code === 'bad_input') {
        list.remove(pending.id);
        throw new Error(sentence(error));
      }
      if (place !== state.current) return;
      list.upsert({ ...pending, loading: false });
      list.setFailure(pending.id, sentence(error));
      const close = h('button', { type: 'button', class: 'dismiss', 'data-testid': 'dismiss', onclick: () => list.remove(pending.id) }, t('dismiss'));
      list.element(pending.id)?.querySelector('.failure').append(' ', close);
      toBottom();
    }
  }

  async #component(message, customId, path, body) {
    const { list, waiting } = this;
    if (waiting.has(message.id)) return;
    waiting.add(message.id);
    list.setFailure(message.id, '');
    list.setPending(message.id, customId);
    const over = () => {
      waiting.delete(message.id);
      list.setPending(message.id, null);
    };
    try {
      const reply = await this.api.post(path, { channel: message.channel, message: message.id, component: customId, ...body });
      over();
      this.#answered(reply);
    } catch (error) {
      over();
      this.change(() => list.setFailure(message.id, sentence(error)));
    }
  }
}
