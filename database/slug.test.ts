import {
  array,
  assert,
  constantFrom,
  nat,
  oneof,
  property,
  string,
  uniqueArray,
} from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { latinSlug, hasOtherLetters } from './latin-slug.ts';
import { dealSlug, firstFreeSlug, slugify } from './slug.ts';

/** Letters of the scripts that shops use. */
const letters = Array.from(
  'aßłøæœþđıİğşñçéẵưŋəАЯёйщїґΑΩάςאבשתابتثجمهあいうアイウ漢字東京한국กขคअआकაბგԱԲԳሀለከবতমதமிతెಕನമല',
);

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
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['Smørrebrød', 'smorrebrod'],
    ['Æble & œuvre', 'aeble-oeuvre'],
    ['ILIK ılık ğüşöç', 'ilik-ilik-gusoc'],
    ['Tiếng Việt, Đà Nẵng', 'tieng-viet-da-nang'],
    ['Sen\u0303ora', 'senora'],
    ['Əlavə ŋ', 'elave-ng'],
    ['Москва — скидки', 'moskva-skidki'],
    ['Щёлково Йод Київ', 'shchelkovo-yod-kiiv'],
    ['Ελλάδα: ΠΡΟΣΦΟΡΆ', 'ellada-prosfora'],
    ['日本', 'riben'],
    ['ノートパソコン、タブレット', 'notopasokon-taburetto'],
    ['서울 노트북', 'seoul-noteubug'],
    ['حاسوب محمول', 'hswb-mhmwl'],
    ['أُذُن ١٢٣', 'dhn-123'],
    ['מחשב נייד', 'mhsv-nyyd'],
    ['\u202eמחשב\u202c', 'mhsv'],
    ['हिन्दी', 'hindi'],
    ['ประเทศไทย', 'praethsaithy'],
    ['Lamp\u200b\u00ad™ No. ２', 'lamp-no-2'],
    ['☕ Coffee 👩‍💻 1️⃣', 'coffee-1'],
    ['😀🇩🇪', ''],
    ['_', ''],
    ['!!!', ''],
    ['', ''],
  ])('turns %j into the slug %j', (text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  const anything = oneof(
    string({ unit: 'binary', maxLength: 300 }),
    string({ unit: 'grapheme', maxLength: 300 }),
    array(constantFrom(...letters), { maxLength: 60 }).map((parts) => parts.join('')),
  );

  test('turns text in any alphabet into a stable URL segment', () => {
    assert(
      property(anything, (text) => {
        const slug = slugify(text);
        expect(slug).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
        expect(encodeURIComponent(slug)).toBe(slug);
        expect(slug.length).toBeLessThanOrEqual(100);
        expect(slugify(slug)).toBe(slug);
        for (const form of ['NFC', 'NFD'] as const) {
          expect(slugify(text.normalize(form))).toBe(slug);
        }
      }),
    );
  });

  test('finds a slug for every word in a common alphabet', () => {
    assert(
      property(array(constantFrom(...letters), { minLength: 1, maxLength: 60 }), (parts) => {
        expect(slugify(parts.join(''))).not.toBe('');
      }),
    );
  });

  test('returns the same slug in browsers before the data for other scripts is loaded', () => {
    assert(
      property(anything, (text) => {
        const known = hasOtherLetters(text) ? slugify(text) : latinSlug(text);
        expect(known).toBe(slugify(text));
      }),
    );
    expect(hasOtherLetters('Straße in Łódź ☕')).toBe(false);
    expect(hasOtherLetters('Москва')).toBe(true);
  });

  test('never assigns a slug that looks like an id to a deal', () => {
    expect(dealSlug('404')).toBe('deal-404');
    expect(dealSlug('１２３')).toBe('deal-123');
    expect(dealSlug('404 lamps')).toBe('404-lamps');
    expect(dealSlug('😀')).toBe('');
  });

  test('shortens a long slug to at most a hundred characters, at a word boundary', () => {
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

  test('shortens a single overlong word', () => {
    expect(slugify('x'.repeat(300))).toBe('x'.repeat(100));
  });

  // Proves Storefront 5: Slug rule
  test('turns any text into lower-case letters and digits, separated by single hyphens', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(slugify(text)).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
        expect(slugify(text).length).toBeLessThanOrEqual(100);
      }),
    );
  });

  test('returns a valid slug unchanged', () => {
    assert(
      property(string({ maxLength: 300 }), (text) => {
        expect(slugify(slugify(text))).toBe(slugify(text));
      }),
    );
  });
});

describe('P6: a unique slug', () => {
  test('P6: appends the first free number, starting at 2, to a slug in use', () => {
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
