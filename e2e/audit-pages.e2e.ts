import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { openAndExamine } from './examine-page.ts';
import { type PageKind, pageKinds } from './page-kinds.ts';

const browser = useBrowser();
const kinds = pageKinds();

// Two at a time: while one page loads, the other is examined.
describe.concurrent('every kind of page', () => {
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      it(`is sound in the ${theme} theme, ${width} pixels wide`, async () => {
        const { page, complaints } = await browser.visit({
          viewport: { width, height: 900 },
          colorScheme: theme,
          reducedMotion: 'reduce',
        });
        const faults: string[] = [];
        for (const kind of kinds) {
          const found = await openAndExamine(page, kind);
          found.push(...complaints.splice(0).filter((text) => !isExpected(text, kind)));
          faults.push(...found.map((fault) => `${kind.name} (${kind.address}): ${fault}`));
        }
        expect(faults).toEqual([]);
        await page.context().close();
      });
    }
  }
});

/** A browser reports each page that is not there. */
function isExpected(complaint: string, { status }: PageKind): boolean {
  return status === 404 && complaint.includes('the server responded with a status of 404');
}
