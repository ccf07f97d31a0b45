import { expect, test } from 'vitest';
import { labelVariants } from './label-variants.ts';

const variant = (title: string, label: string | null = null) => ({ title, label });

test('names a variant by its label, or else by the part of its title that the others lack', () => {
  expect(
    labelVariants([
      variant('Nova 15, 256 GB, black'),
      variant('Nova 15, 256 GB, blue', 'Ocean blue'),
      variant('Nova 15, 512 GB, black'),
    ]),
  ).toEqual(['256 GB, black', 'Ocean blue', '512 GB, black']);
});

test('drops the brackets around the part that a title adds', () => {
  expect(labelVariants([variant('Nova 15 (256 GB)'), variant('Nova 15 (512 GB), blue')])).toEqual([
    '256 GB',
    '512 GB, blue',
  ]);
});

test('keeps the title of a variant that adds nothing to the others or begins differently', () => {
  expect(labelVariants([variant('Nova 15'), variant('Nova 15 blue')])).toEqual(['Nova 15', 'blue']);
  expect(labelVariants([variant('Kettle'), variant('Blue kettle')])).toEqual([
    'Kettle',
    'Blue kettle',
  ]);
});
