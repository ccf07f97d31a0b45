import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import type { PageKind } from './page-kinds.ts';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const axeOptions: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  preload: false, // what it would fetch again is for sound that plays by itself; nothing here plays
};

/** Opens a page and lists what is wrong with it: its answer, its headings, its width, its accessibility. */
export async function openAndExamine(page: Page, kind: PageKind): Promise<string[]> {
  return [...(await open(page, kind)), ...(await examine(page))];
}

/** The same for windows of several widths, a list for each; the page is opened once. */
export async function openAndExamineAt(
  widths: readonly number[],
  page: Page,
  kind: PageKind,
): Promise<string[][]> {
  const refused = await open(page, kind);
  const found: string[][] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    found.push([...refused, ...(await examine(page))]);
  }
  return found;
}

async function open(page: Page, { address, status }: PageKind): Promise<string[]> {
  const answer = await page.goto(address, { waitUntil: 'load' });
  return answer?.status() === status ? [] : [`answers ${answer?.status()}, not ${status}`];
}

/** The same of a page as it stands, with whatever is open on it. */
export async function examine(page: Page): Promise<string[]> {
  const faults: string[] = [];
  await page.waitForFunction(() => document.title !== '');
  // What is still fading in has the contrast of a moment.
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      const isEndless = animation.effect?.getComputedTiming().endTime === Infinity;
      return isEndless || animation.playState !== 'running';
    }),
  );
  const headings = await page.locator('h1').count();
  if (headings !== 1) faults.push(`has ${headings} headings of the first level`);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (overflow > 0) faults.push(`is ${overflow} pixels wider than the window`);
  // Evaluated by the browser itself, so the page's own content policy stays in force.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const { violations, passes } = await page.evaluate(async (asked) => {
    const found = await (globalThis as unknown as AxeWindow).axe.run(document, asked);
    return { violations: found.violations, passes: found.passes.length };
  }, axeOptions);
  if (passes < 15) faults.push(`was examined by ${passes} rules only`);
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
