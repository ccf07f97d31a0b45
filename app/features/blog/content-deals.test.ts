import { expect, test } from 'vitest';
import { linkDeals, namedDeals, replaceDeals, splitAtDeals } from './content-deals.ts';

const content =
  '<p>One</p><hr data-deal="12" title="A &amp; &quot;B&quot; &lt;c&gt;" /><hr /><p>Two</p>\n<hr title="" data-deal="7"><hr data-deal="12" />';

test('lists each deal in post content once, with its title', () => {
  expect(namedDeals(content)).toEqual([
    { id: 12, title: 'A & "B" <c>' },
    { id: 7, title: '' },
  ]);
});

test('returns at most 40 deals, and none for invalid ids', () => {
  const many = Array.from({ length: 50 }, (_, at) => `<hr data-deal="${at + 1}" />`).join('');
  expect(namedDeals(many)).toHaveLength(40);
  expect(namedDeals('<hr data-deal="0" /><hr data-deal="x" /><hr data-deal="-1" />')).toEqual([]);
});

test('splits post content at its deals, and drops blank parts', () => {
  expect(splitAtDeals(content)).toEqual(['<p>One</p>', 12, '<hr /><p>Two</p>\n', 7, 12]);
  expect(splitAtDeals('<p>x</p>')).toEqual(['<p>x</p>']);
});

test('replaces deals, and turns them into links with an escaped title', () => {
  expect(replaceDeals('a<hr data-deal="3" />b', ({ id }) => `[${id}]`)).toBe('a[3]b');
  expect(linkDeals(content)).toContain('<p><a href="/deals/12">A &amp; "B" &lt;c></a></p><hr />');
  expect(linkDeals(content)).toContain('<p><a href="/deals/7">Deal 7</a></p>');
});
