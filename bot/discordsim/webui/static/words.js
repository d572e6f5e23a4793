// Every word of the page's own frame, in the reader's language. What the bot
// says comes from the bot and is never translated here.

const english = {
  playground: 'playground',
  youAre: 'you are:',
  switchUser: 'You are {name}. Change who you are',
  secondTab: 'open a second tab as {name}',
  inSecondTab: 'In a second tab',
  you: 'you',
  bot: 'bot',
  channels: 'Channels',
  directMessages: 'Direct messages',
  people: 'Here now',
  menuOpen: 'Open channels and people',
  mentionOne: '1 mention',
  mentionMany: '{n} mentions',
  mentioned: '{who} mentioned you in {where}',
  wroteYou: '{who} wrote to you',
  show: 'Show',
  close: 'Close',
  onlyYou: 'Only you can see this',
  dismiss: 'Dismiss',
  edited: '(edited)',
  used: '{who} used {command}',
  thinking: '{who} is thinking',
  failed: 'This interaction failed. Try it again.',
  noAnswer: 'The application did not respond.',
  offline: 'Connection lost. Trying again …',
  noBot: '{who} is not connected at the moment.',
  latest: 'Jump to the latest message',
  placeholder: 'Message {where}, or type / for commands',
  placeholderShort: 'Message {where}',
  placeholderNobody: 'Nobody may write in {where}',
  openCommands: 'Show the commands',
  send: 'Send',
  enter: 'Enter',
  moreOptions: 'more options',
  commands: 'Commands',
  options: 'Options',
  required: 'required',
  optional: 'optional',
  noCommand: 'There is no command “{text}”. Type / to see them all.',
  noMatch: 'Nothing fits “{text}”',
  needOption: 'Please fill in “{name}”.',
  chooseOption: 'Please choose one of the list for “{name}”.',
  numberOption: '“{name}” takes a number.',
  rangeOption: '“{name}” takes a number from {min} to {max}.',
  unknownOption: 'There is no option “{text}” here.',
  loading: 'Loading …',
  yes: 'Yes',
  no: 'No',
  apps: 'Apps',
  writeTo: 'Write to {name}',
  spoiler: 'Hidden text. Press to show it',
  choose: 'Choose',
  apply: 'Apply',
  cancel: 'Cancel',
  submit: 'Send',
  introTitle: 'Start here',
  introText: 'You are {name}. Press one of these, then {key}:',
  introTwo: 'Two can play on one machine: {link}.',
  unknownUser: 'unknown',
  unsupported: 'This page cannot show this part of the message.',
};

const german = {
  playground: 'Spielwiese',
  youAre: 'du bist:',
  switchUser: 'Du bist {name}. Jemand anders sein',
  secondTab: 'zweiten Tab als {name} öffnen',
  inSecondTab: 'In einem zweiten Tab',
  you: 'du',
  bot: 'Bot',
  channels: 'Kanäle',
  directMessages: 'Direktnachrichten',
  people: 'Hier',
  menuOpen: 'Kanäle und Leute öffnen',
  mentionOne: '1 Erwähnung',
  mentionMany: '{n} Erwähnungen',
  mentioned: '{who} hat dich in {where} erwähnt',
  wroteYou: '{who} hat dir geschrieben',
  show: 'Zeigen',
  close: 'Schließen',
  onlyYou: 'Nur du siehst das',
  dismiss: 'Ausblenden',
  edited: '(bearbeitet)',
  used: '{who} hat {command} benutzt',
  thinking: '{who} denkt nach',
  failed: 'Das hat nicht geklappt. Versuch es noch einmal.',
  noAnswer: 'Die Anwendung hat nicht geantwortet.',
  offline: 'Verbindung unterbrochen. Neuer Versuch …',
  noBot: '{who} ist gerade nicht verbunden.',
  latest: 'Zur neuesten Nachricht',
  placeholder: 'Nachricht an {where}, oder / für Befehle',
  placeholderShort: 'Nachricht an {where}',
  placeholderNobody: 'In {where} darf niemand schreiben',
  openCommands: 'Befehle zeigen',
  send: 'Senden',
  enter: 'Enter',
  moreOptions: 'mehr Optionen',
  commands: 'Befehle',
  options: 'Optionen',
  required: 'nötig',
  optional: 'freiwillig',
  noCommand: 'Den Befehl „{text}“ gibt es nicht. Mit / siehst du alle.',
  noMatch: 'Nichts passt zu „{text}“',
  needOption: 'Bitte „{name}“ ausfüllen.',
  chooseOption: 'Bitte für „{name}“ etwas aus der Liste wählen.',
  numberOption: '„{name}“ braucht eine Zahl.',
  rangeOption: '„{name}“ braucht eine Zahl von {min} bis {max}.',
  unknownOption: 'Die Option „{text}“ gibt es hier nicht.',
  loading: 'Lädt …',
  yes: 'Ja',
  no: 'Nein',
  apps: 'Apps',
  writeTo: 'An {name} schreiben',
  spoiler: 'Verborgener Text. Drücken zum Zeigen',
  choose: 'Wählen',
  apply: 'Übernehmen',
  cancel: 'Abbrechen',
  submit: 'Senden',
  introTitle: 'Hier geht es los',
  introText: 'Du bist {name}. Drück eines davon, dann {key}:',
  introTwo: 'Zu zweit an einem Rechner: {link}.',
  unknownUser: 'unbekannt',
  unsupported: 'Diesen Teil der Nachricht kann die Seite nicht zeigen.',
};

/** The catalogs by language; both have the same keys. */
export const catalogs = { en: english, de: german };

let words = english;
let locale = 'en';

/** Chooses the language of a Discord locale such as "de" or "en-GB"; English where there is no catalog. */
export function useLocale(discordLocale) {
  locale = discordLocale || 'en';
  const language = locale.split('-')[0];
  words = catalogs[language] ?? english;
  document.documentElement.lang = words === english ? 'en' : language;
}

/** The words for a key with {placeholders} filled in. */
export function t(key, values = {}) {
  const text = words[key] ?? english[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

/** "1 mention", "3 mentions". */
export function mentionCount(n) {
  return n === 1 ? t('mentionOne') : t('mentionMany', { n });
}

/** The name of a language in the reader's language: "de" gives "German", both kinds of English "English". */
export function languageName(discordLocale) {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(discordLocale.replace(/^en-.*/, 'en'));
  } catch {
    return discordLocale;
  }
}

export const clock = (ms) => new Date(ms).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hour12: false });

/** A `<t:…>` timestamp in one of Discord's styles (t T d D f F R). */
export function timestamp(ms, style) {
  const date = new Date(ms);
  switch (style) {
    case 't': return date.toLocaleTimeString(locale, { timeStyle: 'short' });
    case 'T': return date.toLocaleTimeString(locale, { timeStyle: 'medium' });
    case 'd': return date.toLocaleDateString(locale, { dateStyle: 'short' });
    case 'D': return date.toLocaleDateString(locale, { dateStyle: 'long' });
    case 'F': return date.toLocaleString(locale, { dateStyle: 'full', timeStyle: 'short' });
    case 'R': return relative(ms - Date.now());
    default: return date.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short' });
  }
}

const units = [['year', 31536e6], ['month', 2592e6], ['day', 864e5], ['hour', 36e5], ['minute', 6e4], ['second', 1e3]];

function relative(ms) {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const [unit, size] = units.find(([, size]) => Math.abs(ms) >= size) ?? units.at(-1);
  return format.format(Math.round(ms / size), unit);
}
