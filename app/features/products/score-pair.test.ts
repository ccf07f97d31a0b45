import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { codeOfPart, readCodes } from './read-codes.ts';
import { readForScore, scorePair } from './score-pair.ts';

const noNumbers = { evidence: 0, hasSameCurrency: true };
const score = (one: string, other: string, prices: [number, number] = [100, 100]) =>
  scorePair(
    readForScore({ title: one, brand: null, price: prices[0] }),
    readForScore({ title: other, brand: null, price: prices[1] }),
    noNumbers,
  );

describe('the codes of a title', () => {
  test.each([
    ['Sono WH-1000XM5 headphones', ['wh1000xm5', '1000xm5']],
    ['Kettle 1.7 l, 2200W, 256GB, 1080p', []],
    ['Casio GA.100/B watch', ['ga100b']],
    ['Olympus camera 226540', ['226540']],
    ['iPhone 15 Pro', []],
  ])('finds in the title %s the codes %j', (title, codes) => {
    expect([...readCodes(title)]).toEqual(codes);
  });

  test('includes a part number with its brand', () => {
    expect(codeOfPart('Lúmo', 'KT-100')).toBe('lumo kt100');
    expect(codeOfPart(null, 'KT-100')).toBeNull();
    expect(codeOfPart('Lumo', '-')).toBeNull();
  });
});

describe('the score of a pair', () => {
  const title = 'Sono WH-1000XM5 wireless headphones black';

  test.each([
    ['another model', 'Sono WH-1000XM4 wireless headphones black'],
    ['another color', 'Sono WH-1000XM5 wireless headphones silver'],
    ['fewer words', 'Sono WH-1000XM5'],
    ['another thing', 'Garden hose 20 m'],
  ])('scores a pair lower with %s', (_, other) => {
    expect(score(title, other)).toBeLessThan(score(title, title));
  });

  test('scores a pair lower the more its prices differ, unless the currencies differ', () => {
    expect(score(title, title, [100, 300])).toBeLessThan(score(title, title, [100, 120]));
    const read = (price: number) => readForScore({ title, brand: null, price });
    const others = { evidence: 0, hasSameCurrency: false };
    expect(scorePair(read(100), read(300), others)).toBe(score(title, title));
  });

  test('scores a shared model number high enough to suggest, but not a different model', () => {
    expect(score(title, 'WH1000XM5 Sono over-ear')).toBeGreaterThan(0.3);
    expect(score(title, 'Sono WH-1000XM4 wireless')).toBeLessThan(0.3);
  });

  test('returns a probability that is the same in both directions', () => {
    const word = fc.constantFrom(...'Lumo Nova 15 Pro 256 GB black red X900 X-901 case'.split(' '));
    const titles = fc.array(word, { maxLength: 7 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(titles, titles, (one, other) => {
        expect(score(one, other)).toBeCloseTo(score(other, one), 10);
        expect(score(one, other)).toBeGreaterThanOrEqual(0);
        expect(score(one, other)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
