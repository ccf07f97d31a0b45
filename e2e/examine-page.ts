import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { themeScript } from '#app/ui/theme.ts';
import { strayValues } from '#test/stray-values.ts';
import type { PageKind } from './page-kinds.ts';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
/** What the sheets of all pages know. */
const styledClasses = new Set(
  globSync(fileURLToPath(new URL('../build/client/assets/*.css', import.meta.url))).flatMap(
    (file) => classesIn(readFileSync(file, 'utf8')),
  ),
);
const axeOptions: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  preload: false, // what it would fetch again is for sound that plays by itself; nothing here plays
};

const colorOptions: RunOptions = {
  ...axeOptions,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/** Opens a page and lists what is wrong with it: its answer, its headings, its width, its accessibility. */
export async function openAndExamine(page: Page, kind: PageKind): Promise<string[]> {
  return [...(await open(page, kind)), ...(await examine(page))];
}

/** How a page is looked at: in a theme, in a window of a width in pixels. */
export interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
}

/** Both themes, on a desk and on a phone. */
export const everyLook: readonly Look[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme, width })),
);

type IsKnown = (page: Page, look: Look) => Promise<boolean>;

/** The same in several looks, a list for each; the page is opened once. */
export async function openAndExamineIn(
  looks: readonly Look[],
  page: Page,
  kind: PageKind,
  isKnown?: IsKnown,
): Promise<string[][]> {
  const refused = await open(page, kind);
  return (await examineIn(looks, page, isKnown)).map((faults) => [...refused, ...faults]);
}

/**
 * What is wrong with an open page, by look. What `isKnown` says was examined before, by another visitor of the same page in
 * the same look, is not examined again. A theme changes nothing but colors: in the second one at a width only they are.
 */
export async function examineIn(
  looks: readonly Look[],
  page: Page,
  isKnown: IsKnown = async () => false,
): Promise<string[][]> {
  const found: string[][] = [];
  const widths = new Set<number>();
  for (const look of looks) {
    await page.setViewportSize({ width: look.width, height: 900 });
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(themeScript); // what the page does with the system's theme when it opens
    const examineIt = widths.has(look.width) ? examineColors : examine;
    found.push((await isKnown(page, look)) ? [] : await examineIt(page));
    widths.add(look.width);
  }
  return found;
}

/** What is another in each answer and says nothing: what React names things, puzzles, tokens, times, who looks. */
export function withoutIds(html: string): string {
  return html.replaceAll(
    /(?:_[rR]_?\w*_|[\w-]{24,}|\d+ (?:seconds?|min) ago|[\w-]+@staff\.example|<code>[\w-]{12}<\/code>)/g,
    '',
  );
}

async function open(page: Page, { address, status }: PageKind): Promise<string[]> {
  const answer = await page.goto(address, { waitUntil: 'load' });
  return answer?.status() === status ? [] : [`answers ${answer?.status()}, not ${status}`];
}

/** The same of a page as it stands, with whatever is open on it. */
export async function examine(page: Page): Promise<string[]> {
  const faults: string[] = [];
  await untilStill(page);
  const headings = await page.locator('h1').count();
  if (headings !== 1) faults.push(`has ${headings} headings of the first level`);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (overflow > 0) faults.push(`is ${overflow} pixels wider than the window`);
  faults.push(...(await unstyledClasses(page)), ...strayValues(await page.content()));
  return [...faults, ...(await brokenRules(page, axeOptions, 15))];
}

async function examineColors(page: Page): Promise<string[]> {
  await untilStill(page);
  // In a drawer they may be told of nothing: axe takes its elements for overlapped.
  return await brokenRules(page, colorOptions, 0);
}

/** What is still fading in has the contrast of a moment. */
async function untilStill(page: Page): Promise<void> {
  await page.waitForFunction(() => document.title !== '');
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      const isEndless = animation.effect?.getComputedTiming().endTime === Infinity;
      return isEndless || animation.playState !== 'running';
    }),
  );
}

/** What breaks these rules; at least `fewest` of them must have found something to approve of. */
async function brokenRules(page: Page, options: RunOptions, fewest: number): Promise<string[]> {
  const faults: string[] = [];
  // Evaluated by the browser itself, so the page's own content policy stays in force.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const { violations, passes } = await page.evaluate(async (asked) => {
    const found = await (globalThis as unknown as AxeWindow).axe.run(document, asked);
    return { violations: found.violations, passes: found.passes.length };
  }, options);
  if (passes < fewest) faults.push(`was examined by ${passes} rules only`);
  for (const { id, nodes } of violations) {
    const places = nodes.slice(0, 3).map(({ target, failureSummary }) => {
      return `${target.join(' ')}: ${failureSummary?.replaceAll('\n', ' ')}`;
    });
    faults.push(`axe ${id}, ${nodes.length} times: ${places.join(' / ')}`);
  }
  return faults;
}

/** Classes of the page that have styles in a sheet which it did not get. */
async function unstyledClasses(page: Page): Promise<string[]> {
  const { used, sheets } = await page.evaluate(() => ({
    used: [...document.querySelectorAll('[class]')].flatMap(({ classList }) => [...classList]),
    sheets: [...document.styleSheets].flatMap(({ cssRules }) =>
      [...cssRules].map(({ cssText }) => cssText),
    ),
  }));
  const known = new Set(classesIn(sheets.join('\n')));
  const missing = used.filter((name) => styledClasses.has(name) && !known.has(name));
  return [...new Set(missing)].map((name) => `has no styles for the class ${name}`);
}

function classesIn(css: string): string[] {
  return [...css.matchAll(/\.(-?[_a-z][\w-]*)/gi)].map(([, name]) => name ?? '');
}

interface AxeWindow {
  axe: { run(context: Document, options: RunOptions): Promise<AxeResults> };
}
