import { expect, test } from 'vitest';
import { lostElements } from './lost-elements.ts';

test('names the elements that an editor dropped, but not those with an equivalent', () => {
  expect(lostElements('<p>a <b>b</b></p><TABLE><tr><td>1', '<p>a <strong>b</strong></p>')).toEqual([
    'table',
    'tr',
    'td',
  ]);
  expect(lostElements('<i>x</i><del>y</del><img src="a">', '<em>x</em><s>y</s><img>')).toEqual([]);
  expect(lostElements('<figure><img></figure><img>', '<img>')).toEqual(['figure', 'img']);
  expect(lostElements('text', '<p>text</p>')).toEqual([]);
});
