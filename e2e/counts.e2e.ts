import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { pageKinds } from './page-kinds.ts';

const browser = useBrowser();

interface Promised {
  /** The element that shows the count. */
  by: string;
  /** The list whose deals are counted. */
  of: string;
  count: number;
}

/** Returns every deal count on a page that refers to another list: tiles and filter options. */
function readPromises(page: Page, address: string): Promise<Promised[]> {
  return page.evaluate(async (from) => {
    const markup = await (await fetch(from)).text();
    const read = new DOMParser().parseFromString(markup, 'text/html');
    const numberIn = (text: string) => Number(text.replaceAll(',', ''));
    const tiles = [...read.querySelectorAll('main li, main article')].flatMap((tile) => {
      const link = tile.querySelector('a[href^="/categories/"], a[href^="/merchants/"]');
      const [, count] = /(?:^|[^\d,])([\d,]+) deals?(?: available)?/.exec(tile.textContent) ?? [];
      const of = link?.getAttribute('href');
      // A deal card names its store but shows no count.
      return of && count ? [{ by: `a tile on ${from}`, of, count: numberIn(count) }] : [];
    });
    const options = [...read.querySelectorAll('main form[data-filter] option')].flatMap(
      (option) => {
        const [, count] = /\(([\d,]+)\)$/.exec(option.textContent.trim()) ?? [];
        const select = option.closest('select');
        const form = option.closest('form');
        if (!count || !select || !form) return [];
        const chosen = new URLSearchParams(from.split('?')[1]);
        chosen.delete('page');
        chosen.set(select.name, option.getAttribute('value') ?? '');
        const of = `${form.getAttribute('action') ?? ''}?${chosen}`;
        return [{ by: `“${option.textContent.trim()}” on ${from}`, of, count: numberIn(count) }];
      },
    );
    return [...tiles, ...options];
  }, address);
}

/**
 * Returns the deal and card counts that a list states, and the number of live cards on all its
 * pages. Deals of the same product share a card.
 */
function readList(
  page: Page,
  address: string,
): Promise<{ said: number; saidCards: number; live: number }> {
  return page.evaluate(async (first) => {
    let said = Number.NaN;
    let saidCards = Number.NaN;
    let live = 0;
    let next: string | null = first;
    while (next !== null) {
      const answer: Response = await fetch(next);
      const read = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const words = [...read.querySelectorAll('main [role=status], main [role=status] p')];
      const count = words
        .map((one) =>
          /^([\d,]+) deals?\b(?: of ([\d,]+) products?\b)?/.exec(one.textContent.trim()),
        )
        .find((one) => one !== null);
      if (next === first && count) {
        const [, deals = '', products = deals] = count;
        said = Number(deals.replaceAll(',', ''));
        saidCards = Number(products.replaceAll(',', ''));
      }
      // Suggestions on an empty list are not counted.
      const none = [...read.querySelectorAll('main h2')].some((one) =>
        /^No (?:deals|results) found$/.test(one.textContent),
      );
      if (none) return { said: 0, saidCards: 0, live: 0 };
      live += read.querySelectorAll('main article:not([data-expired])').length;
      next = read.querySelector('main a[rel~=next]')?.getAttribute('href') ?? null;
    }
    return { said, saidCards, live };
  }, address);
}

it('shows counts that match the live deals in their lists, on every page', async () => {
  const { page } = await browser.visit();
  await page.goto('/feeds');
  const found = new Map<string, Promised>();
  for (const { address, status } of pageKinds()) {
    if (status !== 200) continue;
    for (const one of await readPromises(page, address)) found.set(`${one.of} ${one.count}`, one);
  }
  const promised = [...found.values()];
  expect(promised.length).toBeGreaterThan(60);
  const faults: string[] = [];
  for (const { by, of, count } of promised) {
    const { said, saidCards, live } = await readList(page, of);
    if (said !== count || live !== saidCards) {
      faults.push(
        `${by} says ${count}; ${of} says ${said} on ${saidCards} cards and shows ${live}`,
      );
    }
  }
  expect(faults).toEqual([]);
});
