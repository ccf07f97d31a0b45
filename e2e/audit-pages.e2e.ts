import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { openAndExamineAt } from './examine-page.ts';
import { type PageKind, pageKinds } from './page-kinds.ts';

const browser = useBrowser();
const kinds = pageKinds();

const widths = [1280, 390] as const;

/** What is wrong with every kind of page in this theme, by width. */
async function auditIn(colorScheme: 'light' | 'dark'): Promise<string[][]> {
  const { page, complaints } = await browser.visit({ colorScheme, reducedMotion: 'reduce' });
  const faults: string[][] = widths.map(() => []);
  for (const kind of kinds) {
    const found = await openAndExamineAt(widths, page, kind);
    const said = complaints.splice(0).filter((text) => !isExpected(text, kind));
    for (const [n, list] of found.entries()) {
      const named = [...list, ...said].map((fault) => `${kind.name} (${kind.address}): ${fault}`);
      faults[n]?.push(...named);
    }
  }
  await page.context().close();
  return faults;
}

// Two at a time: while one page loads, the other is examined.
describe.concurrent('every kind of page', () => {
  for (const theme of ['light', 'dark'] as const) {
    let audit: Promise<string[][]> | undefined;
    for (const [n, width] of widths.entries()) {
      it(`is sound in the ${theme} theme, ${width} pixels wide`, async () => {
        audit ??= auditIn(theme);
        expect((await audit)[n]).toEqual([]);
      });
    }
  }
});

/** A browser reports each page that is not there. */
function isExpected(complaint: string, { status }: PageKind): boolean {
  return status === 404 && complaint.includes('the server responded with a status of 404');
}
