// Turns the part of Discord's markdown that bots use into DOM nodes. Nothing here
// makes HTML text: every leaf is a text node.

import { h, appEmoji } from './dom.js';
import { t, timestamp } from './words.js';

const deepest = 8;

// These are tried in order at every place, and the first that matches wins. Each
// makes a node from its match and can render what is inside with `inner`.
const inlineRules = [
  [/\\([\\*_~`|<>#\-[\]():.!@/])/y, (m) => m[1]],
  [/```(?:[a-z0-9_+-]*\n)?([\s\S]+?)\n?```/y, (m) => h('pre', {}, h('code', {}, m[1]))],
  [/``([\s\S]+?)``(?!`)/y, (m) => h('code', {}, m[1].trim())],
  [/`([^`\n]+)`/y, (m) => h('code', {}, m[1])],
  [/<a?:(\w{2,32}):(\d+)>/y, (m) => appEmoji(m[2], m[1])],
  [/\p{RGI_Emoji}/yv, (m) => h('span', { class: 'glyph' }, m[0])], // as wide as an emoji of the application's
  [/<@!?(\d+)>/y, (m, context) => context.mention(m[1])],
  [/<#(\d+)>/y, (m, context) => context.channel(m[1])],
  [/<\/([^:>\n]{1,100}):(\d+)>/y, (m, context) => context.command(m[1])],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, (m) => time(Number(m[1]) * 1000, m[2])],
  [/\[([^\]\n]+)\]\(<?https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)\/(\d+)>?\)/y, (m, context, inner) => context.message(m[2], m[3], inner(m[1]))],
  [/<?https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)\/(\d+)>?/y, (m, context) => context.message(m[1], m[2])],
  [/<?https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?![\d/])>?/y, (m, context) => context.channel(m[1])],
  [/<(https?:\/\/[^\s<>]+)>/y, (m) => link(m[1], [m[1]])],
  [/\[([^\]\n]+)\]\(<?(https?:\/\/[^\s<>()]+)>?\)/y, (m, context, inner) => link(m[2], inner(m[1]))],
  [/https?:\/\/[^\s<>]*[^\s<>.,:;!?"'()[\]]/y, (m) => link(m[0], [m[0]])],
  [/\|\|([\s\S]+?)\|\|/y, (m, context, inner) => spoiler(inner(m[1]))],
  [/\*\*\*(?=\S)([\s\S]+?)\*\*\*(?!\*)/y, (m, context, inner) => h('strong', {}, h('em', {}, ...inner(m[1])))],
  [/\*\*(?=\S)([\s\S]+?)\*\*(?!\*)/y, (m, context, inner) => h('strong', {}, ...inner(m[1]))],
  [/__(?=\S)([\s\S]+?)__(?!_)/y, (m, context, inner) => h('u', {}, ...inner(m[1]))],
  [/~~(?=\S)([\s\S]+?)~~/y, (m, context, inner) => h('s', {}, ...inner(m[1]))],
  [/\*(?=[^\s*])([^*]*?[^\s*])\*(?!\*)/y, (m, context, inner) => h('em', {}, ...inner(m[1]))],
  [/(?<![\p{L}\p{N}])_(?=[^\s_])([^_]*?[^\s_])_(?![\p{L}\p{N}_])/yu, (m, context, inner) => h('em', {}, ...inner(m[1]))],
];
const mayStart = /[\\`<[h|*_~]|\p{Extended_Pictographic}|\p{Regional_Indicator}/gu;

function inline(text, context, depth) {
  const nodes = [];
  let plain = '';
  let at = 0;
  const inner = (part) => inline(part, context, depth + 1);
  const flush = () => { if (plain) nodes.push(document.createTextNode(plain)); plain = ''; };
  while (at < text.length) {
    mayStart.lastIndex = at;
    const next = depth > deepest ? null : mayStart.exec(text);
    if (!next) break;
    plain += text.slice(at, next.index);
    at = next.index;
    let length = 1;
    let node = text[at];
    for (const [rule, make] of inlineRules) {
      rule.lastIndex = at;
      const match = rule.exec(text);
      if (!match) continue;
      length = match[0].length;
      node = make(match, context, inner);
      break;
    }
    at += length;
    if (typeof node === 'string') plain += node;
    else { flush(); nodes.push(node); }
  }
  plain += text.slice(at);
  flush();
  return nodes;
}

function link(address, children) {
  return h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}

function spoiler(children) {
  const hidden = h('span', { 'aria-hidden': 'true' }, ...children);
  const node = h('span', { class: 'spoiler', role: 'button', tabindex: '0', 'aria-label': t('spoiler') }, hidden);
  const show = (event) => {
    if (event.type === 'keydown' && event.key !== 'Enter' && event.key !== ' ') return;
    if (node.classList.contains('shown')) return;
    event.preventDefault();
    node.classList.add('shown');
    hidden.removeAttribute('aria-hidden');
    for (const name of ['role', 'tabindex', 'aria-label']) node.removeAttribute(name);
  };
  node.addEventListener('click', show);
  node.addEventListener('keydown', show);
  return node;
}

function time(ms, style) {
  if (Math.abs(ms) > 864e13) return document.createTextNode('');
  return h('time', { class: 'stamp', datetime: new Date(ms).toISOString(), title: timestamp(ms, 'F'), 'data-style': style ?? 'f' }, timestamp(ms, style));
}

/** Brings the relative times ("in 3 days") of the page up to date. */
export function refreshTimes(root) {
  for (const node of root.querySelectorAll('time[data-style="R"]')) {
    const now = timestamp(Date.parse(node.dateTime), 'R');
    if (node.textContent !== now) node.textContent = now;
  }
}

/**
 * Renders the text of a message. context.mention(id), context.channel(id),
 * context.message(channel, id, label) and context.command(path) give the nodes for
 * what only the page knows.
 */
export function markdown(text, context) {
  const nodes = [];
  // A code fence is one block, whatever is inside.
  for (const part of text.split(/(```[\s\S]+?```)/)) {
    if (part.startsWith('```') && part.length > 6) nodes.push(...inline(part, context, 0));
    else nodes.push(...blocks(part, context));
  }
  return nodes;
}

/** Whether a text is nothing but a few emoji, which are shown large. */
export function onlyEmoji(text) {
  let n = 0;
  const rest = text.replace(/<a?:\w{2,32}:\d+>|\p{RGI_Emoji}/gv, () => { n++; return ''; });
  return n > 0 && n <= 30 && rest.trim() === '';
}

const lineRules = [
  [/^>>> ([\s\S]*)/, 'rest'],
  [/^> ?(.*)/, 'blockquote'],
  [/^(#{1,3}) +(.+)/, 'heading'],
  [/^-# +(.+)/, 'subtext'],
  [/^( *)(?:[-*]|(\d+\.)) +(.+)/, 'item'],
];

function blocks(text, context) {
  const nodes = [];
  const lines = text.split('\n');
  let plain = [];
  const flush = () => {
    if (plain.length) nodes.push(...inline(plain.join('\n'), context, 0));
    plain = [];
  };
  const last = () => nodes.at(-1);
  for (let i = 0; i < lines.length; i++) {
    const [kind, match] = lineKind(lines.slice(i).join('\n'), lines[i]);
    if (!kind) { plain.push(lines[i]); continue; }
    flush();
    if (kind === 'rest') {
      nodes.push(h('blockquote', {}, ...inline(match[1], context, 0)));
      return nodes;
    }
    if (kind === 'blockquote') {
      const quoted = [match[1]];
      while (i + 1 < lines.length && /^> ?/.test(lines[i + 1])) quoted.push(lines[++i].replace(/^> ?/, ''));
      nodes.push(h('blockquote', {}, ...inline(quoted.join('\n'), context, 0)));
    } else if (kind === 'heading') {
      nodes.push(h('div', { class: `heading h${match[1].length}`, role: 'heading', 'aria-level': match[1].length + 2 }, ...inline(match[2], context, 0)));
    } else if (kind === 'subtext') {
      nodes.push(h('div', { class: 'subtext' }, ...inline(match[1], context, 0)));
    } else {
      const tag = match[2] ? 'ol' : 'ul';
      const start = match[2] ? parseInt(match[2], 10) : null;
      const list = last()?.nodeName === tag.toUpperCase() ? last() : nodes[nodes.push(h(tag, { start: start > 1 ? start : null })) - 1];
      list.append(h('li', { class: match[1].length > 1 ? 'nested' : null }, ...inline(match[3], context, 0)));
    }
  }
  flush();
  return nodes;
}

function lineKind(rest, line) {
  for (const [rule, kind] of lineRules) {
    const match = rule.exec(kind === 'rest' ? rest : line);
    if (match) return [kind, match];
  }
  return [null, null];
}
