// The page's own texts, in the reader's language. What the bot says is never
// translated here.

const english = {
  playground: 'playground',
  youAre: 'you are:',
  switchUser: 'You are {name}. Switch to somebody else',
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
  failed: 'This interaction failed. Try again.',
  noAnswer: 'The application did not respond.',
  offline: 'Connection lost. Reconnecting …',
  noBot: '{who} is not connected at the moment.',
  latest: 'Jump to the latest message',
  message: 'message',
  placeholder: 'Message {where}, or type / for commands',
  placeholderShort: 'Message {where}',
  placeholderNobody: 'You cannot write in {where}',
  openCommands: 'Show the commands',
  send: 'Send',
  enter: 'Enter',
  moreOptions: 'more options',
  commands: 'Commands',
  options: 'Options',
  required: 'required',
  optional: 'optional',
  noCommand: 'There is no command “{text}”. Type / to see them all.',
  noMatch: 'Nothing matches “{text}”',
  needOption: 'Please fill in “{name}”.',
  chooseOption: 'Please choose “{name}” from the list.',
  numberOption: '“{name}” takes a number.',
  rangeOption: '“{name}” takes a number from {min} to {max}.',
  unknownOption: 'There is no option “{text}” here.',
  loading: 'Loading …',
  yes: 'Yes',
  no: 'No',
  apps: 'Apps',
  writeTo: 'Write to {name}',
  spoiler: 'Spoiler. Press to show it',
  choose: 'Choose',
  chooseCount: 'Choose {min} to {max}.',
  apply: 'Apply',
  cancel: 'Cancel',
  submit: 'Send',
  introTitle: 'Start here',
  introText: 'You are {name}. Pick a command and press {key}:',
  introNone: 'You are {name}. {bot} is not here, and you have not installed it for yourself: others who have can use it here.',
  introTwo: 'Two people can play on one computer: {link}.',
  yourApp: '{who} and you',
  installed: 'Installed for you: use it everywhere',
  dmClosed: 'Direct messages are closed',
  foreign: '{guild} · without {who}',
  archived: 'archived',
  locked: 'locked',
  unknownUser: 'unknown',
  unsupported: 'This page cannot show this part of the message.',
};

const german = {
  playground: 'Spielwiese',
  youAre: 'du bist:',
  switchUser: 'Du bist {name}. Zu jemand anderem wechseln',
  secondTab: 'zweiten Tab als {name} öffnen',
  inSecondTab: 'In einem zweiten Tab',
  you: 'du',
  bot: 'Bot',
  channels: 'Kanäle',
  directMessages: 'Direktnachrichten',
  people: 'Gerade hier',
  menuOpen: 'Kanäle und Leute öffnen',
  mentionOne: '1 Erwähnung',
  mentionMany: '{n} Erwähnungen',
  mentioned: '{who} hat dich in {where} erwähnt',
  wroteYou: '{who} hat dir geschrieben',
  show: 'Anzeigen',
  close: 'Schließen',
  onlyYou: 'Nur du siehst das',
  dismiss: 'Ausblenden',
  edited: '(bearbeitet)',
  used: '{who} hat {command} benutzt',
  thinking: '{who} denkt nach',
  failed: 'Das hat nicht geklappt. Versuch es noch einmal.',
  noAnswer: 'Die Anwendung hat nicht geantwortet.',
  offline: 'Verbindung unterbrochen. Sie wird neu aufgebaut …',
  noBot: '{who} ist gerade nicht verbunden.',
  latest: 'Zur neuesten Nachricht',
  message: 'Nachricht',
  placeholder: 'Nachricht an {where}, oder / für Befehle',
  placeholderShort: 'Nachricht an {where}',
  placeholderNobody: 'In {where} kannst du nicht schreiben',
  openCommands: 'Befehle anzeigen',
  send: 'Senden',
  enter: 'Enter',
  moreOptions: 'mehr Optionen',
  commands: 'Befehle',
  options: 'Optionen',
  required: 'erforderlich',
  optional: 'optional',
  noCommand: 'Den Befehl „{text}“ gibt es nicht. Mit / siehst du alle.',
  noMatch: 'Nichts passt zu „{text}“',
  needOption: 'Bitte fülle „{name}“ aus.',
  chooseOption: 'Bitte wähle „{name}“ aus der Liste.',
  numberOption: '„{name}“ braucht eine Zahl.',
  rangeOption: '„{name}“ braucht eine Zahl von {min} bis {max}.',
  unknownOption: 'Die Option „{text}“ gibt es hier nicht.',
  loading: 'Lädt …',
  yes: 'Ja',
  no: 'Nein',
  apps: 'Apps',
  writeTo: 'An {name} schreiben',
  spoiler: 'Spoiler. Zum Anzeigen drücken',
  choose: 'Auswählen',
  chooseCount: 'Wähle {min} bis {max} aus.',
  apply: 'Übernehmen',
  cancel: 'Abbrechen',
  submit: 'Senden',
  introTitle: 'Hier geht es los',
  introText: 'Du bist {name}. Wähle einen Befehl und drück {key}:',
  introNone: 'Du bist {name}. {bot} ist nicht hier, und du hast es nicht für dich installiert: Wer das hat, kann es hier benutzen.',
  introTwo: 'Zu zweit an einem Rechner spielen: {link}.',
  yourApp: '{who} und du',
  installed: 'Für dich installiert: überall nutzbar',
  dmClosed: 'Direktnachrichten sind geschlossen',
  foreign: '{guild} · ohne {who}',
  archived: 'archiviert',
  locked: 'gesperrt',
  unknownUser: 'unbekannt',
  unsupported: 'Diesen Teil der Nachricht kann die Seite nicht zeigen.',
};

/** The catalogs by language. Both have the same keys. */
export const catalogs = { en: english, de: german };

let words = english;
let locale = 'en';

/** Chooses the language of a Discord locale such as "de" or "en-GB"; English if there is no catalog for it. */
export function useLocale(discordLocale) {
  locale = discordLocale || 'en';
  const language = locale.split('-')[0];
  words = catalogs[language] ?? english;
  document.documentElement.lang = words === english ? 'en' : language;
}

/** The text for a key, with its {placeholders} filled in. */
export function t(key, values = {}) {
  const text = words[key] ?? english[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

/** "1 mention", "3 mentions". */
export function mentionCount(n) {
  return n === 1 ? t('mentionOne') : t('mentionMany', { n });
}

/** The name of a language in the reader's language: "de" is "German", and both kinds of English are "English". */
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
