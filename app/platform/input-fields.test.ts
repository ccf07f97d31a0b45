import { assert, property, string } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  amount,
  fieldErrors,
  idOf,
  orNull,
  pictureUrl,
  price,
  slugText,
  text,
  tick,
  url,
} from './input-fields.ts';

const messageOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message;

// Proves R22: input through a schema (app/features/blog/change-post.server.ts)
describe('R22: a text', () => {
  test('R22: trims and composes a text, and removes invisible characters', () => {
    expect(text(50).parse('  Cafe\u0301 \u0000\u0007bar\u007F  ')).toBe('Café bar');
    expect(text(50).parse('two\nlines\tkept')).toBe('two\nlines\tkept');
  });

  test('R22: refuses a text beyond its maximum length, counted after trimming', () => {
    expect(text(5).parse('  12345  ')).toBe('12345');
    expect(messageOf(text(5), '123456')).toBe('Must be at most 5 characters');
  });

  test('R22: returns a text that the database accepts, and that is stable when parsed again', () => {
    assert(
      property(string({ unit: 'binary' }), (typed) => {
        const kept = text(1_000).parse(typed);
        expect(kept.isWellFormed()).toBe(true);
        expect(kept).not.toContain('\0');
        expect(text(1_000).parse(kept)).toBe(kept);
      }),
    );
  });

  test('R22: rejects a number or a list as a text', () => {
    for (const value of [7, null, undefined, ['x'], {}]) {
      expect(text(5).safeParse(value).success).toBe(false);
    }
  });
});

describe('R16: an address', () => {
  test('R16: stores a URL in its standard form', () => {
    expect(url.parse(' HTTPS://Shop.Example/a b ')).toBe('https://shop.example/a%20b');
  });

  test.each([
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    '//shop.example',
    'ftp://a.example',
    'https://a:b@c.example',
    'https://',
  ])('R16: refuses %j as a URL', (value) => {
    expect(messageOf(url, value)).toBe('Must be a valid URL');
    expect(messageOf(pictureUrl, value)).toBe('Must be a valid URL');
  });

  test('R16: accepts a picture’s URL on this site only within its folder', () => {
    expect(pictureUrl.parse(' /media/demo/lamp-640.webp ')).toBe('/media/demo/lamp-640.webp');
    expect(pictureUrl.parse('https://img.example/a.png')).toBe('https://img.example/a.png');
    for (const path of ['/media/../secret', '/media/a b.png', '/admin', '/media/', 'media/a.png']) {
      expect(messageOf(pictureUrl, path)).toBe('Must be a valid URL');
    }
    expect(messageOf(url, '/media/a.png')).toBe('Must be a valid URL');
  });

  test('R18: stores a picture’s URL as https, the only scheme that pages load', () => {
    expect(pictureUrl.parse('HTTP://img.example/a.png')).toBe('https://img.example/a.png');
    expect(messageOf(pictureUrl, 'http://img.example:8080/a.png')).toBe(
      "Must begin with https://, or browsers won't show the picture",
    );
  });
});

describe('a price', () => {
  test.each([
    ['19.99', 1_999],
    ['$1,299', 129_900],
    [' 5 ', 500],
    ['0.01', 1],
    ['1.249,99 €', 124_999],
  ])('parses the price %s as %i cents', (typed, cents) => {
    expect(price('USD').parse(typed)).toBe(cents);
  });

  test.each(['0', '0.00', '-5', '', 'free', '0.999', '1e3', 'NaN'])(
    'P7b: refuses the price %j',
    (typed) => {
      expect(messageOf(price('USD'), typed)).toBe('Must be a price greater than 0');
    },
  );
});

test.each([[price('USD')], [amount('USD')]])(
  'asks for confirmation if an amount is ambiguous',
  (field) => {
    expect(messageOf(field, '1.999')).toBe('Write 1999 or 2.00: 1.999 could be either');
  },
);

describe('an optional field', () => {
  test.each([[undefined], [''], ['   ']])('parses %j in an optional field as null', (value) => {
    expect(orNull(price('USD')).parse(value)).toBeNull();
  });

  test('validates an optional field if it is not empty', () => {
    expect(orNull(price('USD')).parse('5')).toBe(500);
    expect(messageOf(orNull(price('USD')), 'x')).toBe('Must be a price greater than 0');
  });
});

describe('the number of a row', () => {
  const id = idOf('Choose a category');

  test('requires a positive integer as a row number', () => {
    expect(id.parse('12')).toBe(12);
    for (const value of ['0', '-1', '1.5', 'x', '', undefined, '1e30', 'Infinity']) {
      expect(messageOf(id, value)).toBe('Choose a category');
    }
  });
});

describe('a checkbox', () => {
  test('parses a checkbox as checked if anything was sent', () => {
    const form = z.object({ featured: tick });
    expect(form.parse({ featured: 'on' })).toEqual({ featured: true });
    expect(form.parse({})).toEqual({ featured: false });
    expect(form.parse({ featured: '' })).toEqual({ featured: false });
  });
});

describe('a slug that a person typed', () => {
  test.each([
    ['', 'Slug is required'],
    ['Desk', 'Slug must contain only lowercase letters, numbers, and hyphens'],
    ['desk lamp', 'Slug must contain only lowercase letters, numbers, and hyphens'],
    ['désk', 'Slug must contain only lowercase letters, numbers, and hyphens'],
    ['x'.repeat(101), 'Must be at most 100 characters'],
    ['-', 'Slug must contain a letter or a number'],
    ['Łódź', 'Slug must contain only lowercase letters, numbers, and hyphens'],
    ['москва', 'Slug must contain only lowercase letters, numbers, and hyphens'],
  ])('refuses the slug %j: %s', (typed, message) => {
    expect(messageOf(slugText, typed)).toBe(message);
  });

  test('stores a slug without the spaces around it', () => {
    expect(slugText.parse(' desk-lamp-2 ')).toBe('desk-lamp-2');
  });
});

test('returns the first message of each field of a form', () => {
  const form = z.object({ title: text(5), link: url, slug: slugText });
  const { error } = form.safeParse({ title: '123456', link: 'x', slug: '' });
  expect(fieldErrors(error as z.ZodError)).toEqual({
    title: 'Must be at most 5 characters',
    link: 'Must be a valid URL',
    slug: 'Slug is required',
  });
});
