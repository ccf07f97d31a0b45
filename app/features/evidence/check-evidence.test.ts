// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { checkEvidence } from './check-evidence.ts';
import type { DealEvidence } from './verify-evidence.ts';

const leaf = (id: number, amount: number, after: number) =>
  `price ${id} deal 1 at 2026-11-2${id}T10:00:00.123456Z ${amount} - USD in_stock feed after ${after}`;
const voidLeaf = `void 1 deal 1 price 1 at 2026-11-25T10:00:00.000000Z ${'0'.repeat(64)}`;

const row = (day: number, price: string) =>
  `<tr><td><time datetime="2026-11-2${day}T10:00:00.123Z"></time></td><td data-number>${price}</td></tr>`;

function answer(leaves: string[], state: 'kept' | 'hidden' | 'not-kept' = 'kept') {
  const evidence: DealEvidence = {
    deal_id: 1,
    state,
    is_complete: state === 'kept',
    newest_price_at: null,
    entries: leaves.map((text) => ({ leaf: text, day: null, place: null, path: [] })),
    checkpoints: [],
    key_changes: [],
  };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(evidence)));
}

beforeEach(() => {
  document.body.innerHTML = `<table data-region="price-history">${row(1, '$10.00')}${row(2, '$9.00')}</table>
    <p><a href="/evidence" data-deal="1">Check</a><span></span></p>`;
});

async function check() {
  const link = document.querySelector('a');
  if (link) await checkEvidence(link);
  const shown = document.querySelector('span');
  expect(shown?.querySelector('a')?.getAttribute('href')).toBe('/evidence');
  return {
    text: shown?.textContent?.replace(/ What this proves$/, ''),
    failed: shown?.dataset['failed'],
  };
}

test('reports a price on the chart that the log does not have', async () => {
  answer([leaf(1, 1_000, 0)]);
  expect(await check()).toEqual({
    text: 'The evidence is broken. The chart shows $9.00 at 2026-11-22T10:00:00.123Z, which is not in the log.',
    failed: '',
  });
});

test('asks to reload the page if a price was voided after it loaded', async () => {
  answer([leaf(2, 900, 1), leaf(1, 1_000, 0), voidLeaf]);
  expect(await check()).toEqual({
    text: 'The price $10.00 at 2026-11-21T10:00:00.123Z was voided. Reload the page.',
    failed: undefined,
  });
});

test.each(['hidden', 'not-kept'] as const)(
  'does not report broken evidence if the prices are now %s',
  async (state) => {
    answer([], state);
    expect(await check()).toEqual({
      text: 'The store no longer allows us to show these prices.',
      failed: undefined,
    });
  },
);
