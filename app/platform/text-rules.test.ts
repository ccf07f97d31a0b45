import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { describeProblem } from './api-problem.ts';
import { cutText } from './cut-text.ts';
import { parsePageNumber } from './page-number.ts';
import { readText } from './read-text.ts';
import { parseTableQuery, tableHref, type TableSpec } from './table-query.ts';
import { fromWallClock, toWallClock } from './wall-clock.ts';

/** Random text with many characters beyond the first 65,536. */
const anyText = fc.string({
  unit: fc.constantFrom('a', ' ', '-', '\n', 'é', 'e\u0301', '🔥', '日'),
});

describe('a cut text', () => {
  test('cuts a text to a prefix that is no longer than allowed and ends on a whole character', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 30 }), (text, most) => {
        const cut = cutText(text, most);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(most);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, most) - 1);
      }),
    );
  });

  test('returns a short text unchanged', () => {
    expect(cutText('🔥🔥', 4)).toBe('🔥🔥');
    expect(cutText('🔥🔥', 3)).toBe('🔥');
    expect(cutText('', 5)).toBe('');
  });
});

describe('a field of a form as text', () => {
  test('returns a field’s text as sent, without characters that no column accepts', () => {
    const form = new FormData();
    form.set('name', 'A\0da\0');
    form.set('picture', new File(['x'], 'x.png'));
    expect(readText(form, 'name')).toBe('Ada');
    expect(readText(form, 'picture')).toBe('');
    expect(readText(form, 'missing')).toBe('');
  });
});

describe('a table’s address', () => {
  const spec = {
    path: '/admin/things',
    sorts: ['created', 'title'],
    defaultSort: '-created',
    filters: { status: ['active', 'inactive'], merchant: 'id', day: /^\d{4}-\d\d-\d\d$/ },
  } as const satisfies TableSpec<string, string>;
  const read = (search: string) => parseTableQuery(spec, new URLSearchParams(search));

  test('returns a stable table URL when it is read, written and read again', () => {
    const name = fc.constantFrom('q', 'sort', 'page', 'status', 'merchant', 'day', 'x');
    const value = fc.oneof(
      anyText,
      fc.string({ unit: 'binary', maxLength: 150 }),
      fc.constantFrom(
        '-title',
        'title',
        '--title',
        '2',
        '1e3',
        '007',
        '12',
        'active',
        '2026-05-01',
      ),
      fc.tuple(fc.integer({ min: 95, max: 103 }), anyText).map(([n, end]) => 'a'.repeat(n) + end),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (pairs) => {
        const once = read(new URLSearchParams(pairs).toString());
        const href = tableHref(spec, once);
        expect(read(href.slice(href.indexOf('?') + 1).replace(spec.path, ''))).toEqual(once);
        expect(once.search.isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps the rest of a table’s URL when one parameter changes', () => {
    const now = read('q=lamp&status=active&sort=title&page=3');
    expect(tableHref(spec, now, { page: 4 })).toBe(
      '/admin/things?q=lamp&status=active&sort=title&page=4',
    );
    expect(tableHref(spec, now, { filters: { ...now.filters, status: null }, page: 1 })).toBe(
      '/admin/things?q=lamp&sort=title',
    );
    expect(tableHref(spec, now, { sort: 'created', isDescending: true, search: '' })).toBe(
      '/admin/things?status=active&page=3',
    );
  });
});

describe('the page of a public list', () => {
  test('returns a page that exists, whatever the URL requests', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)),
        (said) => {
          const page = parsePageNumber(new URLSearchParams({ page: said }));
          expect(Number.isInteger(page) && page >= 1 && page <= 500).toBe(true);
        },
      ),
    );
  });
});

describe('a wall clock', () => {
  test('parses a shown time back to the minute, in every zone and season', () => {
    const zone = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Pacific/Chatham',
    );
    const minute = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2035, 0) / 60_000 });
    fc.assert(
      fc.property(zone, minute, (timeZone, minutes) => {
        const moment = new Date(minutes * 60_000);
        const shown = toWallClock(moment, timeZone);
        const read = fromWallClock(shown, timeZone);
        // In an hour that occurs twice, either of the two instants is right.
        expect(toWallClock(read ?? new Date(0), timeZone)).toBe(shown);
        expect(Math.abs((read?.getTime() ?? 0) - moment.getTime())).toBeLessThanOrEqual(3_600_000);
      }),
    );
  });

  test.each([
    '2026-13-01T10:00',
    '2026-02-30T10:00',
    '2026-01-01',
    '10:00',
    '2026-01-01T25:00',
    '2026-01-01T10:00Z',
    '',
  ])('rejects %j as a time', (text) => {
    expect(fromWallClock(text, 'UTC')).toBeNull();
  });
});

describe('a problem of the API', () => {
  const facts = { origin: 'https://deals.test', reference: 'abc123' };

  test.each([400, 401, 403, 404, 405, 406, 413, 414, 415, 421, 422, 429, 500, 503])(
    'describes an API problem with status %i by a title, a link to its explanation, and the request id',
    (status) => {
      const problem = JSON.parse(describeProblem(status, facts)) as Record<string, string>;
      expect(problem).toMatchObject({ status, reference: 'abc123' });
      expect(problem['type']).toMatch(/^https:\/\/deals\.test\/developers#[a-z-]+$/);
      expect(`${problem['title']}${problem['detail']}`).toMatch(/\w{4}/);
      expect(problem).not.toHaveProperty('errors');
    },
  );

  test('reports an unexpected status as an internal error with that status', () => {
    const problem = JSON.parse(describeProblem(502, facts)) as Record<string, unknown>;
    expect(problem).toMatchObject({
      status: 502,
      type: 'https://deals.test/developers#our-mistake',
    });
  });

  test('adds escaped details to an API problem if there are any', () => {
    const errors = [{ parameter: 'min', detail: '"</script>' }];
    const text = describeProblem(422, facts, { detail: 'Look here.', errors });
    expect(JSON.parse(text)).toMatchObject({ detail: 'Look here.', errors });
  });
});
