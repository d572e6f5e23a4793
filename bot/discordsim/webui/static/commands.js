// What a typed line means. Pure functions over the commands that the server lists:
// {path, label, description, options: [{name, label, description, type, required, choices, …}]}.
// path and name are what the bot registered, label is what the reader sees; people may type either.

export const optionType = { string: 3, integer: 4, boolean: 5, user: 6, channel: 7, role: 8, mentionable: 9, number: 10 };

const squeeze = (text) => text.toLocaleLowerCase().replace(/\s+/g, ' ');

/** The commands that match what was typed after "/", best first. */
export function filterCommands(commands, typed) {
  const query = squeeze(typed).trim();
  const rank = (command) => {
    const names = [squeeze(command.label), squeeze(command.path)];
    if (names.some((name) => name.startsWith(query))) return 0;
    if (names.some((name) => name.split(' ').some((word) => word.startsWith(query)))) return 1;
    if (names.some((name) => name.includes(query))) return 2;
    return squeeze(command.description).includes(query) ? 3 : 4;
  };
  return commands
    .map((command, i) => ({ command, i, rank: rank(command) }))
    .filter((entry) => entry.rank < 4)
    .sort((a, b) => a.rank - b.rank || a.i - b.i)
    .map((entry) => entry.command);
}

/**
 * The command that a line such as "/lasca play level:4" begins with:
 * {command, rest, closed}. closed says that a space follows the name, so the
 * name is complete. Null if the line does not begin with a whole command.
 */
export function findCommand(commands, line) {
  if (!line.startsWith('/')) return null;
  const text = line.slice(1).replace(/^\s+/, '');
  let best = null;
  for (const command of commands) {
    for (const name of new Set([command.label, command.path])) {
      const pattern = new RegExp(`^${name.split(' ').map(escape).join('\\s+')}(?=\\s|$)`, 'i');
      const match = pattern.exec(text);
      if (match && (!best || match[0].length > best.length)) best = { command, length: match[0].length };
    }
  }
  if (!best) return null;
  const rest = text.slice(best.length);
  return { command: best.command, rest: rest.replace(/^\s+/, ''), closed: rest !== '' };
}

/** The option with this name or label. */
export function findOption(command, name) {
  const wanted = name.toLocaleLowerCase();
  return command.options.find((option) => option.name === wanted || option.label.toLocaleLowerCase() === wanted);
}

/**
 * Takes "level:4 colour:white" apart: {fields: [{option, text}], rest}. rest is
 * the text before the first option. A word with a colon that is not an option
 * stays part of the text around it.
 */
export function splitOptions(command, text) {
  const fields = [];
  let rest = '';
  let at = 0;
  const add = (part) => {
    if (fields.length) fields.at(-1).text += part;
    else rest += part;
  };
  for (const match of text.matchAll(/(?<=^|\s)([^\s:]+):/g)) {
    const option = findOption(command, match[1]);
    if (!option || fields.some((field) => field.option === option)) continue;
    add(text.slice(at, match.index));
    fields.push({ option, text: '' });
    at = match.index + match[0].length;
  }
  add(text.slice(at));
  return { fields: fields.map((field) => ({ ...field, text: field.text.trim() })), rest: rest.trim() };
}

/** The choices whose name contains the text; those that begin with it come first. */
export function filterNamed(list, text) {
  const query = text.toLocaleLowerCase().replace(/^@|^#/, '').trim();
  const name = (entry) => entry.name.toLocaleLowerCase();
  return [...list.filter((entry) => name(entry).startsWith(query)), ...list.filter((entry) => !name(entry).startsWith(query) && name(entry).includes(query))];
}

/** The value of an option that takes any text or number; undefined if the number is malformed or out of range. */
export function asTyped(option, text) {
  const pattern = { [optionType.integer]: /^-?\d+$/, [optionType.number]: /^-?\d+([.,]\d+)?$/ }[option.type];
  if (!pattern) return text;
  const value = pattern.test(text) ? Number(text.replace(',', '.')) : NaN;
  return value >= (option.min ?? -Infinity) && value <= (option.max ?? Infinity) ? value : undefined;
}

function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
