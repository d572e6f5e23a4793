// The form ("modal") that a bot opens as its answer.

import { h } from './dom.js';
import { t } from './words.js';

const kind = {
  row: 1, stringSelect: 3, textInput: 4, userSelect: 5, channelSelect: 8, text: 10, label: 18, file: 19, radios: 21, checkboxes: 22, checkbox: 23,
};

/**
 * Shows the form. Each attempt to send it calls submit(values by custom id),
 * which returns a promise; if it is rejected, the form stays open and shows the
 * error. Escape and Cancel close it without an answer. context.people(),
 * context.channels() and context.markdown(text) give what only the page knows.
 */
export function openModal(modal, submit, context) {
  const failure = h('p', { class: 'failure', role: 'alert', hidden: true });
  const fields = []; // {id, value()}: value gives undefined when there is nothing to send
  const field = (part, label, description) => {
    const made = make(part, context);
    if (!made) return h('p', { class: 'muted' }, t('unsupported'));
    fields.push({ id: part.custom_id, value: made.value });
    const title = [h('span', {}, label || part.label, needed(part) ? ' *' : ''), description && h('small', { class: 'muted' }, description)];
    // Several controls have one title: a legend, which a screen reader says with each.
    return made.group ? h('fieldset', { class: 'choices' }, h('legend', {}, title), made.group)
      : h('label', { class: part.type === kind.checkbox ? 'check' : null }, part.type === kind.checkbox ? [made.node, h('span', {}, title)] : [...title, made.node]);
  };
  const draw = (part) => {
    switch (part.type) {
      case kind.row: return (part.components ?? []).map((inner) => field(inner));
      case kind.label: return [field(part.component, part.label, part.description)];
      case kind.text: return [h('div', { class: 'content' }, context.markdown(part.content))];
      default: return [field(part)];
    }
  };
  const close = () => dialog.close();
  const form = h('form', { class: 'modal-form' },
    h('h2', { id: 'modal-title' }, modal.title),
    (modal.components ?? []).flatMap(draw), failure,
    h('div', { class: 'modal-buttons' },
      h('button', { type: 'button', class: 'button secondary', onclick: close }, t('cancel')),
      h('button', { type: 'submit', class: 'button primary', 'data-testid': 'modal-submit' }, t('submit'))));
  const dialog = h('dialog', { class: 'modal', 'data-testid': 'modal', 'aria-labelledby': 'modal-title' }, form);
  dialog.addEventListener('close', () => dialog.remove());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.getAttribute('aria-busy') === 'true') return;
    form.setAttribute('aria-busy', 'true');
    failure.hidden = true;
    try {
      const values = await Promise.all(fields.map(async ({ id, value }) => [id, await value()]));
      await submit(Object.fromEntries(values.filter(([, value]) => value !== undefined)));
      close();
    } catch (error) {
      failure.textContent = error.message;
      failure.hidden = false;
      failure.scrollIntoView({ block: 'nearest' });
    } finally {
      form.setAttribute('aria-busy', 'false');
    }
  });
  document.body.append(dialog);
  dialog.showModal();
}

const needed = (part) => part.type !== kind.checkbox && part.required !== false;

/** Makes the control for an input, as {node} or, for several, {group}, and value(). */
function make(part, context) {
  const hook = { 'data-testid': 'modal-field', 'data-custom-id': part.custom_id };
  switch (part.type) {
    case kind.textInput: return text(part, hook);
    case kind.stringSelect: return menu(part, part.options ?? [], hook);
    case kind.userSelect: return menu(part, chosenFirst(part, context.people()), hook);
    case kind.channelSelect: return menu(part, chosenFirst(part, context.channels(part.channel_types ?? [])), hook);
    case kind.radios: return group(part, 'radio', hook);
    case kind.checkboxes: return group(part, 'checkbox', hook);
    case kind.checkbox: {
      const node = h('input', { type: 'checkbox', ...hook });
      node.checked = Boolean(part.default);
      return { node, value: () => node.checked };
    }
    case kind.file: {
      const node = h('input', { type: 'file', multiple: (part.max_values ?? 1) > 1, required: needed(part), ...hook });
      return { node, value: () => (node.files.length ? Promise.all([...node.files].map(encode)) : undefined) };
    }
    default: return null;
  }
}

function text(part, hook) {
  const attributes = { ...hook, placeholder: part.placeholder, minlength: part.min_length, maxlength: part.max_length ?? 4000, required: needed(part) };
  const node = part.style === 2 ? h('textarea', { rows: 5, ...attributes }) : h('input', { type: 'text', ...attributes });
  node.value = part.value ?? '';
  return { node, value: () => node.value };
}

const chosenFirst = (part, options) => options.map((option) => ({ ...option, default: (part.default_values ?? []).some((value) => value.id === option.value) }));

function menu(part, options, hook) {
  const many = (part.max_values ?? 1) > 1;
  const node = h('select', { class: 'select', multiple: many, size: many ? Math.min(options.length, 6) : null, required: needed(part), ...hook },
    many ? null : h('option', { value: '' }, part.placeholder || t('choose')),
    options.map((option) => h('option', { value: option.value, selected: option.default },
      [option.emoji && !option.emoji.id && option.emoji.name, option.label].filter(Boolean).join(' ') + (option.description ? ` – ${option.description}` : ''))));
  return { node, value: () => [...node.selectedOptions].map((option) => option.value).filter(Boolean) };
}

/** Radio buttons or checkboxes that belong together. */
function group(part, type, hook) {
  const inputs = [];
  const lines = (part.options ?? []).map((option) => {
    const input = h('input', { type, name: part.custom_id, value: option.value, required: type === 'radio' && needed(part), ...hook, 'data-value': option.value });
    input.checked = Boolean(option.default);
    inputs.push(input);
    return h('label', { class: 'check' }, input, h('span', {}, option.label, option.description && h('small', { class: 'muted' }, option.description)));
  });
  const chosen = () => inputs.filter((input) => input.checked).map((input) => input.value);
  if (type === 'checkbox') {
    const min = Math.max(part.min_values ?? 1, needed(part) ? 1 : 0);
    const max = part.max_values ?? inputs.length;
    const check = () => {
      const n = chosen().length;
      const right = n === 0 ? !needed(part) : n >= min && n <= max;
      inputs[0]?.setCustomValidity(right ? '' : t('chooseCount', { min, max }));
    };
    for (const input of inputs) input.addEventListener('change', check);
    check();
  }
  return { group: lines, value: type === 'radio' ? () => chosen()[0] : chosen };
}

/** A file as the server takes it, its bytes in base64. */
function encode(file) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done({ name: file.name, data: reader.result.slice(reader.result.indexOf(',') + 1) });
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(file);
  });
}
