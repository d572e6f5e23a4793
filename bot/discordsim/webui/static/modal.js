// The form ("modal") that a bot opens as its answer.

import { h } from './dom.js';
import { t } from './words.js';

/**
 * Shows the form. Each attempt to send it calls submit(values by custom id),
 * which returns a promise; if it is rejected, the form stays open and shows the
 * error. Escape and Cancel close it without an answer.
 */
export function openModal(modal, submit) {
  const failure = h('p', { class: 'failure', role: 'alert', hidden: true });
  const inputs = [];
  const field = (part, label, description) => {
    if (part.type !== 4) return h('p', { class: 'muted' }, t('unsupported'));
    const attributes = {
      'data-testid': 'modal-field', 'data-custom-id': part.custom_id, placeholder: part.placeholder,
      minlength: part.min_length, maxlength: part.max_length ?? 4000, required: part.required !== false,
    };
    const input = part.style === 2 ? h('textarea', { rows: 5, ...attributes }) : h('input', { type: 'text', ...attributes });
    input.value = part.value ?? '';
    inputs.push(input);
    return h('label', {}, h('span', {}, label || part.label, input.required ? ' *' : ''), description && h('small', { class: 'muted' }, description), input);
  };
  const draw = (part) => {
    switch (part.type) {
      case 1: return (part.components ?? []).map((inner) => field(inner));
      case 18: return [field(part.component, part.label, part.description)];
      case 10: return [h('p', {}, part.content)];
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
      await submit(Object.fromEntries(inputs.map((input) => [input.dataset.customId, input.value])));
      close();
    } catch (error) {
      failure.textContent = error.message;
      failure.hidden = false;
    } finally {
      form.setAttribute('aria-busy', 'false');
    }
  });
  document.body.append(dialog);
  dialog.showModal();
}
