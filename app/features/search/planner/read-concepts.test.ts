import { expect, test } from 'vitest';
import { longestRun, readConcepts } from './read-concepts.ts';
import { titleScorer } from './rank-titles.ts';
import { builtInSynonyms, indexSynonyms } from './synonym-index.ts';
import { plainForm } from './word-forms.ts';

const read = (text: string, known: string[] = []) =>
  readConcepts(text, { synonyms: builtInSynonyms, known: new Set(known) }, longestRun);

test.each([
  ['128gb', ['128 gb', '128gb']],
  ['128 gb', ['128 gb', '128gb']],
  ['55"', ['55 inch', '55inches']],
  ['20000mah', ['20,000mah']],
  ['wh1000xm5', ['wh-1000xm5', 'wh 1000xm5']],
  ['wh-1000xm5', ['wh1000xm5']],
  ['750', ['-750']],
  ['1.7 liters', ['1,7 l', '1.7l']],
])('finds other spellings of %s', (text, forms) => {
  const concepts = read(text);
  expect(concepts).toHaveLength(1);
  expect(concepts[0]?.forms).toEqual(expect.arrayContaining(forms));
});

test('joins and splits words if titles contain the result', () => {
  expect(read('foot stools', ['footstools'])[0]?.forms).toEqual(['footstools']);
  expect(read('bookends', ['book', 'ends'])[0]?.forms).toEqual(['book ends']);
  expect(read('bookends')[0]?.forms).toEqual([]);
});

test('finds synonyms of words that titles write as one, such as door bell camera', () => {
  const [concept, ...others] = read('door bell camera', ['doorbell']);
  expect(others).toEqual([]);
  expect(concept?.forms).toContain('doorbell camera');
  expect(concept?.synonyms).toContain('video doorbell');
});

test('does not split a model number after a stop word such as s', () => {
  expect(read('s24')[0]?.forms).toEqual([]);
});

test('does not read a range such as 3 in 1 as a measure', () => {
  expect(read('3 in 1').map(({ typed }) => typed)).toEqual([['3'], ['in'], ['1']]);
});

test('finds synonyms of several words, both singular and plural', () => {
  expect(read('washing machines')[0]).toMatchObject({ typed: ['washing', 'machines'] });
  expect(read('washing machines')[0]?.synonyms).toContain('washer');
  expect(read('fridge')[0]?.synonyms).toContain('refrigerator');
});

test('applies a synonym line with `>` in one direction only', () => {
  const synonyms = indexSynonyms(['Sofa > sofa bed', 'tv, telly']);
  expect(synonyms.get('sofa')?.related).toEqual(['sofa bed']);
  expect(synonyms.get('sofa bed')).toBeUndefined();
  expect(synonyms.get('telly')?.same).toEqual(['tv']);
});

test.each([
  ["men's", 'men'],
  ['knives', 'knive'],
  ['batteries', 'battery'],
  ['watches', 'watch'],
  ['glass', 'glass'],
  ['gps', 'gps'],
])('reduces the word %s to %s for comparison', (word, plain) =>
  expect(plainForm(word)).toBe(plain),
);

test.each([
  ['camera', 'Instant camera with film', 'Camera backpack with side access'],
  ['wh1000xm5', 'Sony WH-1000XM5 Headphones', 'Case for Sony WH-1000XM5 Headphones'],
  ['phone case', 'Leather phone case', 'Phone with a case'],
  ['tv', '55-inch television', 'TV wall mount'],
  ['tv', 'Smart TV', 'Smart television'],
  ['washing machine', 'Front load washer', 'Electric pressure washer'],
  ['dice for kids', 'Metal dice set', "Kids' watch"],
])('ranks results for %s: %s above %s', (query, better, worse) => {
  const score = titleScorer(read(query));
  expect(score(better)).toBeGreaterThan(score(worse));
});
