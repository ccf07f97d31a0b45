import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { type Candidate, chooseOffers, pairKey } from './choose-offers.ts';
import { findContradiction, readText } from './find-contradiction.ts';
import { productGtin } from './product-gtin.ts';

/** Appends the check digit to twelve digits, which yields a valid 13-digit GTIN. */
function withCheckDigit(digits: string): string {
  const sum = digits
    .split('')
    .reduce((all, one, at) => all + Number(one) * (at % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** GTINs of retail products, each with its forms of 8, 12, 13 and 14 digits. */
const forms = fc
  .oneof(
    fc.integer({ min: 3_000_000, max: 9_699_999 }).map(String),
    fc.integer({ min: 60_000_000_000, max: 89_999_999_999 }).map(String),
    fc.integer({ min: 300_000_000_000, max: 899_999_999_999 }).map(String),
  )
  .map((digits) => {
    const gtin = withCheckDigit(digits.padStart(12, '0')).slice(12 - digits.length);
    return [8, 12, 13, 14].flatMap((length) =>
      length >= gtin.length ? [gtin.padStart(length, '0')] : [],
    );
  });

describe('a GTIN as an identity', () => {
  test('stores every form of a GTIN as one', () => {
    fc.assert(
      fc.property(forms, ([stored = '', ...others]) => {
        expect(productGtin(stored)).toBe(stored);
        expect(others.map(productGtin)).toEqual(others.map(() => stored));
      }),
    );
  });

  test('rejects a GTIN with any single wrong digit, in each form', () => {
    fc.assert(
      fc.property(forms, fc.nat(13), fc.integer({ min: 1, max: 9 }), (all, place, by) => {
        for (const form of all) {
          const at = place % form.length;
          const wrong = form
            .split('')
            .with(at, String((Number(form[at]) + by) % 10))
            .join('');
          expect(productGtin(wrong)).toBeNull();
        }
      }),
    );
  });

  test.each([
    ['a code of the store', withCheckDigit('201234567890')],
    ['a code of the store with a zero', withCheckDigit('021234567890')],
    ['a coupon', withCheckDigit('990123456789')],
    ['a periodical', withCheckDigit('977123456789')],
    ['a case of packs', '14006381333938'],
    ['a short number', '12345'],
  ])('rejects %s', (_, gtin) => {
    expect(productGtin(gtin)).toBeNull();
  });
});

const phone = { title: 'Lumo Nova 15 Pro 256 GB Black', brand: 'Lumo' };

describe('a contradiction', () => {
  test.each([
    ['brand', { title: 'Nova 15 Pro 256 GB black', brand: 'Vela' }],
    ['measure', { ...phone, title: 'Lumo Nova 15 Pro 512GB Black' }],
    ['pack', { ...phone, title: '2-Pack Lumo Nova 15 Pro 256 GB Black' }],
    ['colour', { ...phone, title: 'Lumo Nova 15 Pro 256 GB blau' }],
    ['number', { ...phone, title: 'Lumo Nova 14 Pro 256 GB Black' }],
    ['edition', { ...phone, title: 'Lumo Nova 15 256 GB Black' }],
    ['accessory', { ...phone, title: 'Case for Lumo Nova 15 Pro 256 GB Black' }],
    ['title', { title: 'Pro garden hose', brand: null }],
  ])('detects a different %s', (difference, other) => {
    expect(findContradiction(phone, other)).toBe(difference);
    expect(findContradiction(other, phone)).toBe(difference);
  });

  test('detects a different model', () => {
    const one = { title: 'Sono WH-1000XM5 headphones', brand: null };
    expect(findContradiction(one, { ...one, title: 'Sono WH-1000XM4 headphones' })).toBe('model');
    expect(findContradiction(one, { ...one, title: 'Sono WH1000XM5B headphones' })).toBeNull();
  });

  test.each([
    ['case and accents', 'LUMO Nóva 15 Pro 256 GB black'],
    ['another language', 'Lumo Nova 15 Pro 256GB schwarz'],
    ['fewer facts', 'Lumo Nova 15 Pro'],
    ['more words', 'Lumo Nova 15 Pro smartphone, 256 GB, black, dual SIM'],
  ])('ignores %s', (_, title) => {
    expect(findContradiction(phone, { title, brand: 'lumo inc' })).toBeNull();
    expect(findContradiction(phone, { title, brand: null })).toBeNull();
  });

  test('ignores a rounded measure in another unit', () => {
    const tv = { title: 'Lumo TV 55"', brand: null };
    expect(findContradiction(tv, { ...tv, title: 'Lumo TV 140 cm' })).toBeNull();
    expect(findContradiction(tv, { ...tv, title: 'Lumo TV 65 inch' })).toBe('measure');
  });

  test('finds no difference between a text and itself, and the same one in both directions', () => {
    const word = fc.constantFrom(
      ...'Lumo Nova 15 Pro 256 GB black red 2-pack case 55" X900'.split(' '),
    );
    const text = fc.record({
      title: fc.array(word, { minLength: 1, maxLength: 7 }).map((words) => words.join(' ')),
      brand: fc.constantFrom('Lumo', 'Vela', null),
    });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(findContradiction(one, one)).toBeNull();
        expect(findContradiction(one, other) === null).toBe(findContradiction(other, one) === null);
      }),
    );
  });
});

function candidate(id: number, changes: Partial<Candidate> & { title?: string } = {}): Candidate {
  const { title = phone.title, brand = phone.brand } = changes;
  return {
    id,
    gtin: '4006381333931',
    merchantId: id,
    price: 90_000,
    currency: 'USD',
    isNew: true,
    isLinked: false,
    isConfirmed: false,
    matchesFreely: true,
    ...changes,
    ...readText({ title, brand }),
  };
}

const none = new Set<string>();
const blue = { title: 'Lumo Nova 15 Pro 256 GB Blue' };

describe('choosing the offers of a product', () => {
  test('chooses the deals of several stores if nothing contradicts', () => {
    expect(chooseOffers([candidate(1), candidate(2), candidate(3, blue)], none)).toEqual([1, 2]);
    expect(chooseOffers([candidate(1), candidate(2, { merchantId: 1 })], none)).toEqual([]);
  });

  test('chooses no offers if two equally large groups contradict each other', () => {
    const four = [candidate(1), candidate(2), candidate(3, blue), candidate(4, blue)];
    expect(chooseOffers(four, none)).toEqual([]);
    expect(chooseOffers([...four, candidate(5)], none)).toEqual([1, 2, 5]);
  });

  test('chooses no offers if a store gives the GTIN to two products', () => {
    const twice = candidate(3, { ...blue, merchantId: 1 });
    expect(chooseOffers([candidate(1), candidate(2), twice], none)).toEqual([]);
  });

  test('excludes a price under a third of the others or over three times the others', () => {
    const [one, two] = [candidate(1), candidate(2, { price: 88_000 })];
    const of = (price: number) => chooseOffers([one, two, candidate(3, { price })], none);
    expect(of(29_000)).toEqual([1, 2]);
    expect(of(300_000)).toEqual([1, 2]);
    expect(of(31_000)).toEqual([1, 2, 3]);
    expect(chooseOffers([one, candidate(2, { price: 2_000 })], none)).toEqual([]);
    expect(chooseOffers([one, candidate(2, { price: 2_000, currency: 'EUR' })], none)).toEqual([
      1, 2,
    ]);
  });

  test('keeps a linked deal whose price fell, and excludes pairs that staff declared different', () => {
    const linked = [
      candidate(1, { isLinked: true }),
      candidate(2, { isLinked: true, price: 9_000 }),
    ];
    expect(chooseOffers(linked, none)).toEqual([1, 2]);
    expect(chooseOffers([...linked, candidate(3)], new Set([pairKey(3, 1)]))).toEqual([1, 2]);
  });

  test('keeps a deal that staff linked despite a difference, and earlier linked deals', () => {
    const isLinked = true;
    const linked = [candidate(1, { isLinked }), candidate(2, { isLinked })];
    const confirmed = candidate(3, { ...blue, isLinked, isConfirmed: true });
    expect(chooseOffers([...linked, confirmed], none)).toEqual([1, 2, 3]);
    expect(chooseOffers([...linked, confirmed, candidate(4)], none)).toEqual([1, 2, 3]);
    const twice = candidate(5, { title: 'Garden hose', merchantId: 1 });
    const both = [candidate(1), twice, confirmed, candidate(6, { isLinked, isConfirmed: true })];
    expect(chooseOffers(both, none)).toEqual([3, 6]);
  });

  test('keeps linked deals even if hundreds of older deals have their GTIN', () => {
    const linked = [candidate(901, { isLinked: true }), candidate(902, { isLinked: true })];
    const many = Array.from({ length: 250 }, (_, id) => candidate(id, blue));
    expect(chooseOffers([...many, ...linked], none)).toEqual([901, 902]);
  });

  test('ignores only the GTIN that a store gives to two products', () => {
    const other = '4006381333948';
    const twice = candidate(4, { ...blue, merchantId: 3, gtin: other });
    const all = [candidate(1), candidate(2), candidate(3, { merchantId: 3, gtin: other }), twice];
    expect(chooseOffers(all, none)).toEqual([1, 2]);
  });

  test('prefers linked deals to new ones', () => {
    const linked = [candidate(1, { isLinked: true }), candidate(2, { isLinked: true })];
    const many = [3, 4, 5].map((id) => candidate(id, blue));
    expect(chooseOffers([...linked, ...many], none)).toEqual([1, 2]);
  });

  test('excludes deals of a new store until a person has linked them', () => {
    const fresh = candidate(3, { matchesFreely: false });
    expect(chooseOffers([candidate(1), candidate(2), fresh], none)).toEqual([1, 2]);
    expect(chooseOffers([candidate(1), candidate(2), { ...fresh, isLinked: true }], none)).toEqual([
      3, 1, 2,
    ]);
  });
});
