import { describe, expect, test } from 'vitest';
import { assert, property, string } from '#test/fast-check.ts';
import { readCalendar } from '#test/read-calendar.ts';
import type { CalendarEvent, FeedDocument } from './feed-document.ts';
import { writeCalendar } from './write-calendar.server.ts';

const site = { name: 'Deal Hub', origin: 'https://deals.test:8443' };

const event: CalendarEvent = {
  id: 'deal-7',
  endsAt: new Date('2026-11-30T22:59:59.999Z'),
  title: 'Ends: Desk lamp',
  text: '$19.99\nSold by Harbor, Pine; Co\\',
  sequence: 3,
  changedAt: new Date('2026-11-29T08:00:00Z'),
};

const calendar = (change: Partial<CalendarEvent> = {}, entries = 1): string => {
  const document: FeedDocument = {
    title: 'Deals ending soon – Deal Hub',
    description: 'Deals that end within 72 hours.',
    homePath: '/deals?type=expiring',
    query: '?category=tools',
    entries: Array.from({ length: entries }, () => ({
      permanentPath: '/deals/7',
      path: '/deals/desk-lamp?from=feed',
      title: 'Desk lamp',
      html: '',
      summary: null,
      image: null,
      author: null,
      publishedAt: event.changedAt,
      changedAt: event.changedAt,
      categories: [],
      event: { ...event, ...change },
    })),
  };
  return writeCalendar(document, 'ending-soon', site);
};

describe('a calendar', () => {
  test('writes the last hour of a deal in UTC, with an id that names the host', () => {
    expect(readCalendar(calendar()).events).toEqual([
      {
        UID: 'deal-7@deals.test',
        DTSTAMP: '20261129T080000Z',
        'LAST-MODIFIED': '20261129T080000Z',
        SEQUENCE: '3',
        DTSTART: '20261130T215959Z',
        DTEND: '20261130T225959Z',
        SUMMARY: 'Ends: Desk lamp',
        DESCRIPTION: '$19.99\\nSold by Harbor\\, Pine\\; Co\\\\',
        URL: 'https://deals.test:8443/deals/desk-lamp?from=feed',
        TRANSP: 'TRANSPARENT',
      },
    ]);
  });

  test('contains its name, its own URL and the URL of the page with its deals', () => {
    expect(readCalendar(calendar()).head).toMatchObject({
      VERSION: '2.0',
      PRODID: '-//Deal Hub//Deals//EN',
      'X-WR-CALNAME': 'Deals ending soon – Deal Hub',
      SOURCE: 'https://deals.test:8443/feeds/ending-soon.ics?category=tools',
      URL: 'https://deals.test:8443/deals?type=expiring',
    });
  });

  test('folds lines after 75 bytes without splitting a character', () => {
    const title = `${'漢字🎧'.repeat(40)}end`;
    const text = calendar({ title });
    expect(readCalendar(text).events[0]?.SUMMARY).toBe(title);
    expect(text).toMatch(/\r\n 漢|\r\n 字|\r\n 🎧/u);
  });

  test('does not let a title add a property', () => {
    const [read] = readCalendar(
      calendar({ title: 'Lamp\r\nEND:VEVENT\rATTACH:file:///etc\nX:\u0007\u0085' }),
    ).events;
    expect(read?.SUMMARY).toBe('Lamp\\nEND:VEVENT\\nATTACH:file:///etc\\nX:');
    expect(read).not.toHaveProperty('ATTACH');
  });

  test('lets a calendar program read any text unchanged', () => {
    assert(
      property(string({ unit: 'binary' }), (title) => {
        const value = readCalendar(calendar({ title })).events[0]?.SUMMARY ?? '';
        const plain = title.toWellFormed().replace(/\r\n?/g, '\n');
        expect(unescape(value)).toBe(plain.replace(/(?![\t\n])\p{Cc}/gu, ''));
      }),
    );
  });

  test('contains a time zone component even when no deal ends', () => {
    const text = calendar({}, 0);
    expect(readCalendar(text).events).toEqual([]);
    expect(text).toContain('BEGIN:VTIMEZONE');
  });
});

function unescape(value: string): string {
  return value.replace(/\\(.)/gu, (_, character: string) => (character === 'n' ? '\n' : character));
}
