/** The states of a subscriber in a list, the strictest last. */
export const subscriberStates = [
  'subscribed',
  'unknown',
  'unconfirmed',
  'bounced',
  'unsubscribed',
] as const;
export type SubscriberState = (typeof subscriberStates)[number];

export function stricterState(one: SubscriberState, other: SubscriberState): SubscriberState {
  return subscriberStates.indexOf(one) > subscriberStates.indexOf(other) ? one : other;
}

/** Columns that the owner names if they are not found automatically. Blank ones are detected. */
export interface ColumnChoices {
  email?: string | undefined;
  status?: string | undefined;
  consent?: string | undefined;
}

/**
 * Column names of Mailchimp, MailPoet, Brevo, listmonk and others, best first. The date when an
 * entry was created or added is not used, since it does not prove consent.
 */
const names = {
  email: 'emailaddress email mail subscriberemail contactemail recipient',
  status:
    'globalstatus liststatus status subscriptionstatus subscriberstatus emailstatus contactstatus state',
  refused:
    'emailblacklisted emailblocklisted blacklisted blocklisted emailblacklist emailblocklist unsubscribed optedout optout',
  confirmed:
    'confirmtime confirmationtime confirmedat confirmationdate confirmedon consentdate consentat doubleoptindate',
  joined:
    'optintime optindate optinat subscribedat subscribedon subscriptiondate subscribedate subscribed signupdate signedupat',
  left: 'unsubtime unsubscribedat unsubscribedon unsubscribedate unsubscribetime dateunsubscribed',
  bounced: 'cleantime bouncedat bouncedon cleanedat',
} as const;
type Role = keyof typeof names;

/** The positions of each field's columns, best first. */
export type SubscriberColumns = Record<Role, number[]> & {
  /** The state of all rows, if the file contains only one state, as Mailchimp's files do. */
  all: SubscriberState | null;
  /** The position of MailPoet's column for the status of the address, or -1. */
  ofMailPoet: number;
};

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns the columns of a header line, or null if it has no column of addresses. */
export function findSubscriberColumns(
  header: readonly string[],
  choices: ColumnChoices,
): SubscriberColumns | null {
  const plainHeader = header.map(plain);
  const find = (role: Role, chosen?: string): number[] => {
    const known = chosen ? [plain(chosen)] : names[role].split(' ');
    return known.map((name) => plainHeader.indexOf(name)).filter((at) => at !== -1);
  };
  const email = find('email', choices.email);
  if (email.length === 0) return null;
  return {
    email,
    status: find('status', choices.status),
    refused: find('refused'),
    confirmed: find('confirmed', choices.consent),
    joined: choices.consent ? [] : find('joined'),
    left: find('left'),
    bounced: find('bounced'),
    all: stateOfFile(plainHeader),
    ofMailPoet: plainHeader.indexOf('globalstatus'),
  };
}

/** Mailchimp exports one file per state, without a column for the state. */
function stateOfFile(header: readonly string[]): SubscriberState | null {
  if (header.includes('unsubtime')) return 'unsubscribed';
  if (header.includes('cleantime')) return 'bounced';
  return header.includes('optintime') && header.includes('confirmtime') ? 'subscribed' : null;
}

const words: Record<Exclude<SubscriberState, 'unknown'>, string> = {
  subscribed: 'subscribed active enabled confirmed optedin',
  unconfirmed: 'unconfirmed pending waiting notconfirmed unverified',
  bounced: 'bounced cleaned bounce hardbounce hardbounced softbounced',
  unsubscribed:
    'unsubscribed disabled blocklisted blacklisted optedout optout suppressed complained complaint spam',
};
const stateByWord = new Map(
  Object.entries(words).flatMap(([state, some]) =>
    some.split(' ').map((word) => [word, state as SubscriberState] as const),
  ),
);
const saysYes = /^(?:1|y|yes|true|x)$/i;
const saysNo = /^(?:|0|n|no|false|null)$/i;

/** The data in the cells of a row. `isBadStatus` is set for an unknown status. */
export interface SubscriberCells {
  email: string;
  state: SubscriberState;
  consentAt: Date | null;
  leftAt: Date | null;
  isBadStatus: boolean;
}

export function readSubscriberCells(
  cells: readonly string[],
  columns: SubscriberColumns,
  now: Date,
): SubscriberCells {
  const cell = (at: number) => (cells[at] ?? '').trim();
  const dateOf = (some: readonly number[]): Date | null => {
    for (const at of some) {
      const date = readConsentDate(cell(at), now);
      if (date) return date;
    }
    return null;
  };
  let state: SubscriberState | null = columns.all;
  let isBadStatus = false;
  const add = (more: SubscriberState) => (state = state ? stricterState(state, more) : more);
  for (const at of columns.status) {
    const said = plain(cell(at));
    if (said === '') continue;
    // In MailPoet, inactive subscribers have opened nothing for months. Elsewhere, they may have
    // unsubscribed.
    const isIdle = said === 'inactive' && at === columns.ofMailPoet;
    const known = isIdle ? 'subscribed' : stateByWord.get(said);
    if (known) add(known);
    else isBadStatus = true;
  }
  for (const at of columns.refused) {
    const said = cell(at);
    // A date also means yes, since some services use such a name for a date column.
    if (saysYes.test(said) || readConsentDate(said, now)) add('unsubscribed');
    else if (!saysNo.test(said)) add('unsubscribed');
  }
  if (columns.bounced.some((at) => cell(at) !== '')) add('bounced');
  if (columns.left.some((at) => cell(at) !== '')) add('unsubscribed');
  const result = state ?? 'unknown';
  return {
    email: cell(columns.email[0] ?? -1),
    state: result,
    consentAt: dateOf([...columns.confirmed, ...columns.joined]),
    leftAt: dateOf([...columns.left, ...columns.bounced]),
    // If another column has a stricter state, the unknown status does not matter.
    isBadStatus: isBadStatus && result !== 'unsubscribed' && result !== 'bounced',
  };
}

/**
 * Returns a date, or null if it can't be read or is in the future. If day and month are ambiguous,
 * returns the later date, so that consent never seems older than it is.
 */
export function readConsentDate(text: string, now: Date): Date | null {
  const found = readAnyDate(text.trim());
  const isFine = found !== null && found <= now && found.getUTCFullYear() >= 1990;
  return isFine ? found : null;
}

function readAnyDate(text: string): Date | null {
  const iso =
    /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[T ](\d\d?:\d\d(?::\d\d)?)(?:[.,]\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i.exec(
      text,
    );
  if (iso) return dateOfParts(iso[1], iso[2], iso[3], iso[4], iso[5]);
  const local = /^(\d\d?)[-/.](\d\d?)[-/.](\d{4})(?:[T ,]+(\d\d?:\d\d(?::\d\d)?))?$/.exec(text);
  if (local) {
    const [, a, b, year, time] = local;
    const both = [dateOfParts(year, a, b, time), dateOfParts(year, b, a, time)];
    return both.reduce((one, other) => (other && (!one || other > one) ? other : one));
  }
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  const written = /[a-z]{3}/i.test(text) && /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(written) ? null : new Date(written);
}

function dateOfParts(year = '', month = '', day = '', time = '00:00', zone = 'Z'): Date | null {
  const two = (part: string) => part.padStart(2, '0');
  const offset = /^(?:UTC|Z)$/i.test(zone) ? 'Z' : zone.replace(/^(...)(\d\d)$/, '$1:$2');
  const clock = time.length === 4 || time.length === 7 ? `0${time}` : time;
  const date = new Date(`${year}-${two(month)}-${two(day)}T${clock}${offset}`);
  // An impossible day such as February 31 would become another one.
  const isSame =
    !Number.isNaN(date.getTime()) && Number(day) <= daysOf(Number(year), Number(month));
  return isSame ? date : null;
}

const daysOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
