import { array, assert, nat, property, string, uniqueArray } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { firstFreeSlug, slugify } from './slug.ts';

// Proves Back office 4: Slugs of new categories and merchants
describe('the slug rule', () => {
  test.each([
    ['Desk Lamp', 'desk-lamp'],
    ['  Desk   Lamp  ', 'desk-lamp'],
    ['Desk--Lamp', 'desk-lamp'],
    ['-Desk Lamp-', 'desk-lamp'],
    ['Desk_Lamp', 'desk-lamp'],
    ['Desk & Lamp', 'desk-lamp'],
    ['50% off: "Lamp" (new!)', '50-off-lamp-new'],
    ['Café Crème', 'cafe-creme'],
    ['Ａｂｃ', 'abc'],
    ['ﬁne', 'fine'],
    ['½ price', '12-price'],
    ['İstanbul', 'istanbul'],
    ['tab\tand\nline', 'tab-and-line'],
    ['日本', ''],
    ['!!!', ''],
    ['', ''],
  ])('turns %j into the slug %j', (text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  test('cuts a long slug at a word within a hundred characters', () => {
    const slug = slugify(`${'word '.repeat(18)}a-much-longer-word-that-does-not-fit`);
    expect(slug.length).toBeLessThanOrEqual(100);
    expect(slug).toBe(`${'word-'.repeat(18)}a-much`);
  });

  test('keeps a slug of exactly a hundred characters', () => {
    const exact = `${'word-'.repeat(19)}abcde`;
    expect(exact).toHaveLength(100);
    expect(slugify(exact)).toBe(exact);
    expect(slugify(`${exact} more`)).toBe(exact);
  });

  test('cuts a single endless word', () => {
    expect(slugify('x'.repeat(300))).toBe('x'.repeat(100));
  });

  // Proves Storefront 5: Slug rule
  test('turns any text into lower-case letters, digits and single hyphens between them', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(slugify(text)).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
        expect(slugify(text).length).toBeLessThanOrEqual(100);
      }),
    );
  });

  test('returns a slug unchanged', () => {
    assert(
      property(string({ maxLength: 300 }), (text) => {
        expect(slugify(slugify(text))).toBe(slugify(text));
      }),
    );
  });
});

describe('P6: a slug made unique', () => {
  test('P6: appends the first free number to a slug, from 2 on', () => {
    expect(firstFreeSlug('lamp', new Set())).toBe('lamp');
    expect(firstFreeSlug('lamp', new Set(['desk']))).toBe('lamp');
    expect(firstFreeSlug('lamp', new Set(['lamp']))).toBe('lamp-2');
    expect(firstFreeSlug('lamp', new Set(['lamp', 'lamp-2', 'lamp-4']))).toBe('lamp-3');
  });

  test('P6: never returns a slug in use, and skips no free number', () => {
    assert(
      property(uniqueArray(nat(8)), array(string()), (numbers, others) => {
        const taken = new Set([...others, 'lamp', ...numbers.map((n) => `lamp-${n}`)]);
        const free = firstFreeSlug('lamp', taken);
        expect(taken.has(free)).toBe(false);
        const number = Number(free.slice('lamp-'.length));
        for (let n = 2; n < number; n++) expect(taken.has(`lamp-${n}`)).toBe(true);
      }),
    );
  });
});
