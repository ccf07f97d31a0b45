import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import type { CalendarEvent, FeedDocument } from './feed-document.ts';

type Site = Pick<PublicSite, 'name' | 'origin'>;

/** bytes of a line without its line break (RFC 5545, 3.1) */
const mostBytes = 75;
/** ms; most calendars hide an event of no length, so the event covers the deal's last hour */
const eventLength = 3_600_000;

/** A calendar needs a component, so an empty one has a time zone that nothing uses. */
const emptyCalendar = [
  'BEGIN:VTIMEZONE',
  'TZID:Etc/UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/**
 * Writes the entries that have an event as iCalendar (RFC 5545, with the properties of RFC 7986).
 */
export function writeCalendar(document: FeedDocument, name: string, site: Site): string {
  const events = document.entries.flatMap((entry) =>
    entry.event ? eventLines(entry.event, site.origin + entry.path, site) : [],
  );
  const title = escapeText(document.title);
  const description = escapeText(document.description);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(site.name)}//Deals//EN`,
    'CALSCALE:GREGORIAN',
    `NAME:${title}`,
    `X-WR-CALNAME:${title}`,
    `DESCRIPTION:${description}`,
    `X-WR-CALDESC:${description}`,
    `SOURCE;VALUE=URI:${site.origin}/feeds/${name}.ics${document.query}`,
    `URL:${site.origin}${document.homePath}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...(events.length > 0 ? events : emptyCalendar),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** The UID does not depend on the end, so that calendars move the event instead of adding one. */
function eventLines(event: CalendarEvent, url: string, site: Site): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${event.id}@${new URL(site.origin).hostname}`,
    `DTSTAMP:${inUtc(event.changedAt)}`,
    `LAST-MODIFIED:${inUtc(event.changedAt)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTART:${inUtc(new Date(event.endsAt.getTime() - eventLength))}`,
    `DTEND:${inUtc(event.endsAt)}`,
    `SUMMARY:${escapeText(event.title)}`,
    `DESCRIPTION:${escapeText(event.text)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** Returns a time such as `20261129T170000Z`. */
function inUtc(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, '');
}

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '')
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n');
}

/** Folds a line after at most 75 bytes, never within a character. */
function foldLine(line: string): string {
  const parts: string[] = [];
  let part = '';
  let bytes = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (bytes + length > mostBytes) {
      parts.push(part);
      // The leading space of a continuation line counts, too.
      part = ' ';
      bytes = 1;
    }
    part += character;
    bytes += length;
  }
  return [...parts, part].join('\r\n');
}
