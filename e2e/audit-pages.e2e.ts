import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { type PageKind, pageKinds } from './page-kinds.ts';

const browser = useBrowser();
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const axeOptions: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};
const kinds = pageKinds();

// Two at a time: while one page loads, the other is examined.
describe.concurrent('every kind of page', () => {
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      it(`is sound in the ${theme} theme, ${width} pixels wide`, { timeout: 120_000 }, async () => {
        const { page, complaints } = await browser.visit({
          viewport: { width, height: 900 },
          colorScheme: theme,
          reducedMotion: 'reduce',
        });
        const faults: string[] = [];
        for (const kind of kinds) {
          const found = await examine(page, kind);
          found.push(...complaints.splice(0).filter((text) => !isExpected(text, kind)));
          faults.push(...found.map((fault) => `${kind.name} (${kind.address}): ${fault}`));
        }
        expect(faults).toEqual([]);
        await page.context().close();
      });
    }
  }
});

async function examine(page: Page, { address, status }: PageKind): Promise<string[]> {
  const faults: string[] = [];
  const answer = await page.goto(address, { waitUntil: 'load' });
  if (answer?.status() !== status) faults.push(`answers ${answer?.status()}, not ${status}`);
  const headings = await page.locator('h1').count();
  if (headings !== 1) faults.push(`has ${headings} headings of the first level`);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (overflow > 0) faults.push(`is ${overflow} pixels wider than the window`);
  // Evaluated by the browser itself, so the page's own content policy stays in force.
  await page.evaluate(axeSource);
  const { violations, passes } = await page.evaluate(
    (options) => (globalThis as unknown as AxeWindow).axe.run(document, options),
    axeOptions,
  );
  if (passes.length < 15) faults.push(`was examined by ${passes.length} rules only`);
  for (const { id, nodes } of violations) {
    const places = nodes.slice(0, 3).map(({ target, failureSummary }) => {
      return `${target.join(' ')}: ${failureSummary?.replaceAll('\n', ' ')}`;
    });
    faults.push(`axe ${id}, ${nodes.length} times: ${places.join(' / ')}`);
  }
  return faults;
}

interface AxeWindow {
  axe: { run(context: Document, options: RunOptions): Promise<AxeResults> };
}

/** A browser reports each page that is not there. */
function isExpected(complaint: string, { status }: PageKind): boolean {
  return status === 404 && complaint.includes('the server responded with a status of 404');
}
