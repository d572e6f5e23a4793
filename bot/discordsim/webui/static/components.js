// The controls of a message (buttons, select menus) and the blocks of Discord's
// newer layout.

import { h, appEmoji } from './dom.js';
import { t } from './words.js';

const kind = {
  row: 1, button: 2, stringSelect: 3, userSelect: 5, channelSelect: 8, section: 9, text: 10, thumbnail: 11,
  gallery: 12, file: 13, separator: 14, container: 17,
};
const styles = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'link' };

/**
 * Renders components. context.press(customId) and context.select(customId,
 * values) act; context.openMessage(channel, id) goes to a message;
 * context.markdown(text), context.media(url, description), context.people() and
 * context.channels(types)
 * and context.channels(types) give what only the page knows.
 */
export function components(list, context) {
  return list.map((part) => component(part, context));
}

function component(part, context) {
  const children = () => components(part.components ?? [], context);
  switch (part.type) {
    case kind.row: return h('div', { class: 'row', role: 'group' }, children());
    case kind.button: return button(part, context);
    case kind.stringSelect: return select(part, part.options ?? [], context);
    case kind.userSelect:
      return select(part, context.people(), context);
    case kind.channelSelect:
      return select(part, context.channels(part.channel_types ?? []), context);
    case kind.text: return h('div', { class: 'content' }, context.markdown(part.content));
    case kind.container: return h('div', { class: 'container' }, children());
    case kind.section:
      return h('div', { class: 'section' }, h('div', { class: 'section-text' }, children()), part.accessory && component(part.accessory, context));
    case kind.separator: return part.divider === false ? h('div', { class: 'gap' }) : h('hr', { class: 'separator' });
    case kind.thumbnail: return context.media(part.media.url, part.description);
    case kind.gallery: return h('div', {}, (part.items ?? []).map((item) => context.media(item.media.url, item.description)));
    case kind.file: return context.media(part.file.url, '');
    default: return h('p', { class: 'muted' }, t('unsupported'));
  }
}

function button(part, context) {
  const style = styles[part.style] ?? 'secondary';
  // A count at the end ("c5 ×2") is paler than the name before it.
  const [, name, count] = /^(.*\S)\s(×\d+)$/.exec(part.label ?? '') ?? [null, part.label, null];
  const inside = [
    part.emoji && h('span', { class: 'emoji', 'aria-hidden': 'true' }, part.emoji.id ? appEmoji(part.emoji.id, part.emoji.name) : part.emoji.name),
    name && h('span', {}, name),
    count && h('span', { class: 'count' }, count),
  ];
  const label = part.label || part.emoji?.name || '';
  const place = /^https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)\/(\d+)$/.exec(part.style === 5 ? part.url : '');
  if (place) {
    return h('button', { type: 'button', class: 'button link', 'data-testid': 'link-button', 'aria-label': label, onclick: () => context.openMessage(place[1], place[2]) }, inside);
  }
  if (part.style === 5) {
    return h('a', { class: 'button link', 'data-testid': 'link-button', href: part.url, target: '_blank', rel: 'noopener noreferrer', 'aria-label': label }, inside);
  }
  return h('button', {
    type: 'button', class: `button ${style}`, 'data-testid': 'button', 'data-custom-id': part.custom_id,
    'aria-label': label, disabled: part.disabled, onclick: () => context.press(part.custom_id),
  }, inside);
}

function select(part, options, context) {
  const least = part.min_values ?? 1;
  const most = part.max_values ?? 1;
  const label = part.placeholder || t('choose');
  const choices = options.map((option) => h('option', { value: option.value, selected: option.default },
    [option.emoji?.name, option.label].filter(Boolean).join(' ') + (option.description ? ` – ${option.description}` : '')));
  if (most === 1) {
    const preset = options.some((option) => option.default);
    const menu = h('select', {
      class: 'select', 'data-testid': 'select', 'data-custom-id': part.custom_id, 'aria-label': label, disabled: part.disabled,
      onchange: () => context.select(part.custom_id, menu.value ? [menu.value] : []),
    }, h('option', { value: '', disabled: least > 0, selected: !preset, hidden: least > 0 && preset }, label), choices);
    return menu;
  }
  const menu = h('select', {
    class: 'select', multiple: true, size: Math.min(options.length, 6), 'data-testid': 'select', 'data-custom-id': part.custom_id,
    'aria-label': label, disabled: part.disabled, onchange: () => check(),
  }, choices);
  const apply = h('button', {
    type: 'button', class: 'button secondary', disabled: part.disabled,
    onclick: () => context.select(part.custom_id, [...menu.selectedOptions].map((option) => option.value)),
  }, t('apply'));
  const check = () => {
    const n = menu.selectedOptions.length;
    apply.disabled = part.disabled || n < least || n > most;
  };
  check();
  return h('div', { class: 'multi' }, menu, apply);
}
