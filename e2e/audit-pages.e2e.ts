import { beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { everyLook, openAndExamineIn, type Seen } from './examine-page.ts';
import { type PageKind, pageKinds } from './page-kinds.ts';

const browser = useBrowser({ showsPictures: true });
const kinds = pageKinds();
const seen: Seen = new Set();

/** Returns the faults of these pages by theme and width. */
async function audit(some: readonly PageKind[]): Promise<string[][]> {
  const { page, complaints } = await browser.visit();
  const faults: string[][] = everyLook.map(() => []);
  for (const kind of some) {
    const found = await openAndExamineIn(everyLook, page, kind, seen);
    const said = complaints.splice(0).filter((text) => !isExpected(text, kind));
    for (const [n, list] of found.entries()) {
      const named = [...list, ...said].map((fault) => `${kind.name} (${kind.address}): ${fault}`);
      faults[n]?.push(...named);
    }
  }
  await page.context().close();
  return faults;
}

// Audits two pages concurrently: one loads while the other is audited.
describe('every kind of page', () => {
  let audits: Promise<string[][]>[];
  beforeAll(() => {
    const half = Math.ceil(kinds.length / 2);
    audits = [audit(kinds.slice(0, half)), audit(kinds.slice(half))];
  });
  for (const [n, { colorScheme, width }] of everyLook.entries()) {
    // Proves Storefront 1: Light and dark (theme.ts)
    // Proves Design: Each kind of page in axe, two themes, two widths (page-kinds.ts)
    it(`passes the audit of every page in the ${colorScheme} theme, ${width} pixels wide`, async () => {
      for (const faults of await Promise.all(audits)) expect(faults[n]).toEqual([]);
    });
  }
});

/** The browser logs an error for each missing page. */
function isExpected(complaint: string, { status }: PageKind): boolean {
  return status === 404 && complaint.includes('the server responded with a status of 404');
}
