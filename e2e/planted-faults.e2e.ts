import { describe, expect, it } from 'vitest';
import {
  everyLook,
  examineIn,
  isExamined,
  openAndExamineIn,
  openAndExamineSent,
  type Seen,
} from './examine-page.ts';
import { useBrowser } from './open-browser.ts';

// Audits check layouts and second themes only partially. Each of these tests plants a fault where
// the audit could miss it.

const browser = useBrowser();
const phone = 'light 390, dark 390';

interface Parts {
  style?: string;
  frame?: string;
  screen?: string;
}

const documentOf = ({ style = '', frame = '', screen = '' }: Parts): string => `<!DOCTYPE html>
<html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width">
<style>body { background: #fff; color: #111 } input { font-size: 16px } a { color: #036 } .dark body { background: #111; color: #eee }
.dark a { color: #9cf } .js p { margin: 1em } ${style}</style></head>
<body><header><nav aria-label="Pages"><ul><li><a href="/">Home</a></li></ul></nav>${frame}</header>
<main><h1>A page</h1><p>Words</p><label>Name <input></label><button type="button">Save</button>
<img src="data:," alt="A lamp"><table><tr><th scope="col">A</th></tr><tr><td>B</td></tr></table>${screen}</main></body></html>`;

async function open(parts: Parts) {
  const { page } = await browser.visit();
  let present = documentOf(parts);
  await page.route('**/planted/*', (route) =>
    route.fulfill({ contentType: 'text/html', body: present }),
  );
  return { page, show: (next: Parts) => void (present = documentOf(next)) };
}

const kind = (name: string) => ({ name, address: `/planted/${name}`, status: 200 });

/** Returns the looks in which an axe rule fails. */
function looksWith(rule: string, found: string[][]): string {
  const names = everyLook.flatMap(({ colorScheme, width }, n) =>
    found[n]?.some((fault) => fault.startsWith(`axe ${rule},`)) ? [`${colorScheme} ${width}`] : [],
  );
  return names.toSorted((a, b) => Number(b.slice(-4)) - Number(a.slice(-4))).join(', ');
}

const onPhones = (style: string) => `@media (max-width: 600px) { ${style} }`;
const pale = 'color: #777; background: #666';
const faults = [
  [
    'a name that phones do not show',
    'button-name',
    'light 390',
    onPhones('.f i { display: none }'),
  ],
  [
    'a target too small on phones',
    'target-size',
    'light 390',
    onPhones('.f { font-size: 4px; padding: 0; border: 0 }'),
  ],
  [
    'low contrast in the light theme',
    'color-contrast',
    'light 1280, light 390',
    `html:not(.dark) .f { ${pale} }`,
  ],
  [
    'low contrast in the dark theme',
    'color-contrast',
    'dark 1280, dark 390',
    `.dark .f { ${pale} }`,
  ],
  ['low contrast on phones', 'color-contrast', phone, onPhones(`.f { ${pale} }`)],
  [
    'low contrast on phones in the dark theme',
    'color-contrast',
    'dark 390',
    onPhones(`.dark .f { ${pale} }`),
  ],
] as const;
const planted =
  '<p><button type="button" class="f"><i>Go</i></button><button type="button" class="f"><i>On</i></button></p>';

describe('a planted fault', () => {
  it.for(faults)(
    'detects a planted fault in a new screen with an audited layout: %s',
    async ([, rule, where, style]) => {
      const { page, show } = await open({ style });
      const seen: Seen = new Set();
      expect(await openAndExamineIn(everyLook, page, kind('first'), seen)).toEqual([
        [],
        [],
        [],
        [],
      ]);
      show({ style, screen: planted });
      const found = await openAndExamineIn(everyLook, page, kind('second'), seen);
      expect(looksWith(rule, found)).toBe(where);
    },
  );

  it.for(faults)(
    'detects a planted fault in a layout that changed: %s',
    async ([, rule, where, style]) => {
      const { page, show } = await open({ style });
      const seen: Seen = new Set();
      expect(await openAndExamineIn(everyLook, page, kind('same'), seen)).toEqual([[], [], [], []]);
      show({ style, frame: planted });
      const found = await openAndExamineIn(everyLook, page, kind('same'), seen);
      expect(looksWith(rule, found)).toBe(where);
    },
  );

  it('detects a field that phones would zoom in on', async () => {
    const style = onPhones('.f { font-size: 15px }');
    const { page } = await open({ style, screen: '<label>Sort <select class="f" name="sort">' });
    const found = await openAndExamineIn(everyLook, page, kind('small'));
    const small = everyLook.filter((_look, n) =>
      found[n]?.includes('has text of less than 16 pixels in "sort"'),
    );
    expect(small).toEqual([{ colorScheme: 'light', width: 390 }]);
  });

  it('detects a planted fault in a theme that was not audited yet', async () => {
    const style = `.dark .f { ${pale} }`;
    const { page } = await open({ style, screen: planted });
    const seen: Seen = new Set();
    const looks = everyLook.filter(({ width }) => width === 1280);
    await page.goto('/planted/page');
    expect(await examineIn(looks.slice(0, 1), page, seen)).toEqual([[]]);
    expect(await examineIn(looks.slice(0, 1), page, seen)).toEqual([[]]);
    const found = await examineIn(everyLook, page, seen);
    expect(looksWith('color-contrast', found)).toBe('dark 1280, dark 390');
  });
});

describe('a document sent to another visitor', () => {
  it('treats another visitor’s document as audited only if its screen, layout, URL and look are the same', async () => {
    const { page } = await open({});
    const seen: Seen = new Set();
    const [light, ...others] = everyLook;
    if (!light) throw new Error('There is no look.');
    const { html } = await openAndExamineSent([light], page, kind('page'), seen);
    const address = '/planted/page';
    expect(isExamined(html, address, [light], seen)).toBe(true);
    expect(isExamined(html, address, others, seen)).toBe(false);
    expect(isExamined(html, '/planted/other', [light], seen)).toBe(false);
    expect(isExamined(documentOf({ screen: '<p>More</p>' }), address, [light], seen)).toBe(false);
    expect(isExamined(documentOf({ frame: '<p>More</p>' }), address, [light], seen)).toBe(false);
  });
});
