import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page, Response } from 'playwright-core';
import { themeScript } from '#app/ui/theme.ts';
import { strayValues } from '#test/stray-values.ts';
import type { PageKind } from './page-kinds.ts';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
/** The classes that all stylesheets define. */
const styledClasses = new Set(
  globSync(fileURLToPath(new URL('../build/client/assets/*.css', import.meta.url))).flatMap(
    (file) => classesIn(readFileSync(file, 'utf8')),
  ),
);
const axeOptions: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  preload: false, // axe preloads media to check for autoplaying sound, which no page has.
};

const colorOptions: RunOptions = {
  ...axeOptions,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/** Opens a page and lists its faults: response, headings, width, accessibility. */
export async function openAndExamine(page: Page, kind: PageKind): Promise<string[]> {
  const { refused } = await open(page, kind);
  return [...refused, ...(await examine(page))];
}

/** A theme and window width (in pixels) in which a page is audited. */
export interface Variant {
  colorScheme: 'light' | 'dark';
  width: number;
}

/** Both themes, on a desktop and on a phone. */
export const everyLook: readonly Variant[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme, width })),
);

/** Hashes of the audited screens and layouts, each with theme and width. */
export type Seen = Set<string>;

/** Opens a page once and lists its faults for each theme and width. */
export async function openAndExamineIn(
  looks: readonly Variant[],
  page: Page,
  kind: PageKind,
  seen?: Seen,
): Promise<string[][]> {
  return (await openAndExamineSent(looks, page, kind, seen)).found;
}

/**
 * Like `openAndExamineIn`, but also returns the HTML that the server sent. `isExamined` recognizes
 * this HTML when another visitor gets it.
 */
export async function openAndExamineSent(
  looks: readonly Variant[],
  page: Page,
  kind: PageKind,
  seen?: Seen,
): Promise<{ found: string[][]; html: string }> {
  const { answer, refused } = await open(page, kind);
  const html = (await answer?.text()) ?? '';
  const found = (await examineIn(looks, page, seen)).map((faults) => [...refused, ...faults]);
  for (const look of looks) {
    for (const part of partsIn(look, { html, address: kind.address })) seen?.add(part);
  }
  return { found, html };
}

/**
 * Lists the faults of an open page for each look (theme and width). Skips a look if both the screen
 * and the layout are in `seen` for that look. A theme changes only colors, so the second theme at a
 * width is audited for colors only. A layout that was audited before is skipped.
 */
export async function examineIn(
  looks: readonly Variant[],
  page: Page,
  seen: Seen = new Set(),
): Promise<string[][]> {
  const found = new Map<Variant, string[]>();
  const widths = new Set<number>();
  // Each width change triggers a new layout of the page, so all audits at one width run together.
  for (const look of looks.toSorted((a, b) => b.width - a.width)) {
    await showIn(page, look);
    const state = await readState(page);
    const [screen, frame] = partsIn(look, state);
    const isFrameSeen = seen.has(frame);
    if (isFrameSeen && seen.has(screen)) found.set(look, []);
    else if (widths.has(look.width)) found.set(look, await brokenColors(page, isFrameSeen));
    else found.set(look, [...(await stateFaults(page, state)), ...(await brokenRules(page))]);
    seen.add(screen).add(frame);
    widths.add(look.width);
  }
  return looks.map((look) => found.get(look) ?? []);
}

/**
 * Returns whether the server has sent this screen and layout before, and both were audited in all
 * of these looks.
 */
export function isExamined(html: string, address: string, looks: readonly Variant[], seen: Seen) {
  return looks.every((look) => partsIn(look, { html, address }).every((part) => seen.has(part)));
}

/** Records an open page as audited, because another test audits it in these looks. */
export async function noteExamined(
  page: Page,
  looks: readonly Variant[],
  seen: Seen,
): Promise<void> {
  const state = await readState(page);
  for (const part of looks.flatMap((look) => partsIn(look, state))) seen.add(part);
}

/**
 * Removes parts that differ between responses for irrelevant reasons: React's ids, puzzles, tokens,
 * times and the visitor.
 */
export function withoutIds(html: string): string {
  return html.replaceAll(
    /(?:_[rR]_?\w*_|[\w-]{24,}|\d+ (?:seconds?|min) ago|[\w-]+@staff\.example|<code>[\w-]{12}<\/code>)/g,
    '',
  );
}

async function open(
  page: Page,
  { address, status }: PageKind,
): Promise<{ answer: Response | null; refused: string[] }> {
  const answer = await page.goto(address, { waitUntil: 'load' });
  const refused = answer?.status() === status ? [] : [`answers ${answer?.status()}, not ${status}`];
  return { answer, refused };
}

async function showIn(page: Page, { width, colorScheme }: Variant): Promise<void> {
  const isWider = page.viewportSize()?.width !== width;
  if (isWider) await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(themeScript); // applies the system's theme as the page does when it opens
  // Resize observers run within the second frame.
  if (isWider) {
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  }
}

/** Lists the faults of the page in its current state, with its open dialogs and menus. */
export async function examine(page: Page): Promise<string[]> {
  return [...(await stateFaults(page, await readState(page))), ...(await brokenRules(page))];
}

interface State {
  /** The path and query of the page. */
  address: string;
  /** The whole document in its current state. */
  html: string;
  headings: number;
  /** The number of pixels by which the page is wider than its window. */
  overflow: number;
  /** Fields that a phone would zoom in on, because their text is smaller than 16 pixels. */
  smallFields: string[];
  classes: string[];
  /** The URLs of the page's stylesheets, and the text of inline ones. */
  sheets: string[];
}

/** Reads everything that is checked about a page, except accessibility, in one call. */
async function readState(page: Page): Promise<State> {
  const read = () =>
    page.evaluate((): State | null => {
      const isMoving = document.getAnimations().some((animation) => {
        const isEndless = animation.effect?.getComputedTiming().endTime === Infinity;
        return !isEndless && animation.playState === 'running';
      });
      const isStyled = [
        ...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'),
      ].every(({ sheet }) => sheet !== null || document.readyState === 'complete');
      // The contrast of an element is wrong while it is fading in.
      if (document.title === '' || !isStyled || isMoving) return null;
      const { scrollWidth, clientWidth, outerHTML } = document.documentElement;
      const fields = [...document.querySelectorAll('select, textarea, input')].filter(
        (field) =>
          innerWidth < 640 &&
          !field.matches('[type=checkbox], [type=radio], [type=hidden], [type=file]') &&
          Number.parseFloat(getComputedStyle(field).fontSize) < 16,
      );
      const styled = [...document.querySelectorAll('[class]')];
      const textOf = ({ cssRules }: CSSStyleSheet) =>
        [...cssRules].map(({ cssText }) => cssText).join('\n');
      return {
        address: location.pathname + location.search,
        html: outerHTML,
        headings: document.querySelectorAll('h1').length,
        overflow: scrollWidth - clientWidth,
        smallFields: fields.map((field) => field.getAttribute('name') ?? field.id),
        classes: [...new Set(styled.flatMap(({ classList }) => [...classList]))],
        sheets: [...document.styleSheets].map((sheet) => sheet.href ?? textOf(sheet)),
      };
    });
  for (let state = await read(); ; state = await read()) {
    if (state !== null) return state;
    await untilStill(page);
  }
}

async function untilStill(page: Page): Promise<void> {
  await page.waitForFunction(() => document.title !== '');
  // Does not wait for a stylesheet that failed to load, which is reported elsewhere.
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(
      ({ sheet }) => sheet !== null || document.readyState === 'complete',
    ),
  );
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      const isEndless = animation.effect?.getComputedTiming().endTime === Infinity;
      return isEndless || animation.playState !== 'running';
    }),
  );
}

/**
 * Returns the keys of a document's screen and of the layout around it in one look, without
 * irrelevant parts.
 */
function partsIn(
  { colorScheme, width }: Variant,
  { html, address }: Pick<State, 'html' | 'address'>,
): [screen: string, frame: string] {
  const bare = html
    .slice(Math.max(html.indexOf('<body'), 0))
    .replaceAll(/<script\b[^]*?<\/script>/g, '')
    .replaceAll('<!-- -->', '');
  const from = bare.indexOf('<main');
  const to = bare.lastIndexOf('</main>');
  const screen = from < 0 ? bare : bare.slice(from, to);
  // Ignores which link is the current one, because that differs by screen.
  const frame = (from < 0 ? '' : bare.slice(0, from) + bare.slice(to)).replaceAll(
    /<a\b[^>]*>/g,
    (tag) => tag.replaceAll(/ (?:class|aria-current)="[^"]*"/g, ''),
  );
  const keyOf = (text: string) => {
    const hash = createHash('sha1').update(withoutIds(text)).digest('base64');
    return `${colorScheme} ${width} ${hash}`;
  };
  return [keyOf(`screen ${address} ${screen}`), keyOf(`frame ${frame}`)];
}

async function stateFaults(page: Page, state: State): Promise<string[]> {
  const { headings, overflow, smallFields, html } = state;
  const faults: string[] = [];
  if (headings !== 1) faults.push(`has ${headings} headings of the first level`);
  if (overflow > 0) faults.push(`is ${overflow} pixels wider than the window`);
  for (const name of smallFields) faults.push(`has text of less than 16 pixels in "${name}"`);
  return [...faults, ...(await unstyledClasses(page, state)), ...strayValues(html)];
}

/** Runs a full audit, in which at least 15 rules must pass on some element. */
function brokenRules(page: Page): Promise<string[]> {
  return runRules(page, axeOptions, 15, null);
}

/**
 * Audits colors only. No rule is required to pass, because axe may treat the elements of a drawer
 * as obscured.
 */
function brokenColors(page: Page, isFrameSeen: boolean): Promise<string[]> {
  return runRules(page, colorOptions, 0, isFrameSeen ? 'main' : null);
}

async function runRules(
  page: Page,
  options: RunOptions,
  fewest: number,
  part: string | null,
): Promise<string[]> {
  const faults: string[] = [];
  if (!(await page.evaluate(() => 'axe' in globalThis))) await defineAxe(page);
  const { violations, passes } = await page.evaluate(
    async ([asked, selector]) => {
      const context = (selector === null ? null : document.querySelector(selector)) ?? document;
      const found = await (globalThis as unknown as AxeWindow).axe.run(context, asked);
      return { violations: found.violations, passes: found.passes.length };
    },
    [options, part] as const,
  );
  if (passes < fewest) faults.push(`was examined by ${passes} rules only`);
  for (const { id, nodes } of violations) {
    const places = nodes.slice(0, 3).map(({ target, failureSummary }) => {
      return `${target.join(' ')}: ${failureSummary?.replaceAll('\n', ' ')}`;
    });
    faults.push(`axe ${id}, ${nodes.length} times: ${places.join(' / ')}`);
  }
  return faults;
}

/**
 * Evaluates axe through the browser's protocol, so that the page's own content policy applies.
 * `page.evaluate` would also parse the half megabyte again within the page.
 */
async function defineAxe(page: Page): Promise<void> {
  const connection = await page.context().newCDPSession(page);
  await connection.send('Runtime.evaluate', { expression: axeSource });
  await connection.detach();
}

/** The styled classes by stylesheet URL, which changes with the content. */
const classesOfSheets = new Map<string, readonly string[]>();

/** Lists the page's classes that are only styled in stylesheets the page does not load. */
async function unstyledClasses(page: Page, { classes, sheets }: State): Promise<string[]> {
  const known = new Set<string>();
  for (const sheet of sheets) {
    for (const name of classesOfSheets.get(sheet) ?? (await readSheet(page, sheet)))
      known.add(name);
  }
  const missing = classes.filter((name) => styledClasses.has(name) && !known.has(name));
  return missing.map((name) => `has no styles for the class ${name}`);
}

async function readSheet(page: Page, sheet: string): Promise<readonly string[]> {
  if (!URL.canParse(sheet)) return classesIn(sheet);
  const css = await page.evaluate((address) => {
    const found = [...document.styleSheets].find(({ href }) => href === address);
    return [...(found?.cssRules ?? [])].map(({ cssText }) => cssText).join('\n');
  }, sheet);
  const classes = classesIn(css);
  classesOfSheets.set(sheet, classes);
  return classes;
}

function classesIn(css: string): string[] {
  return [...css.matchAll(/\.(-?[_a-z][\w-]*)/gi)].map(([, name]) => name ?? '');
}

interface AxeWindow {
  axe: { run(context: Document | Element, options: RunOptions): Promise<AxeResults> };
}
