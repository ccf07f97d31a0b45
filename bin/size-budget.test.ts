import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'deal-hub-budget-'));
  await mkdir(path.join(root, 'bin'));
  await mkdir(path.join(root, 'build/client/assets'), { recursive: true });
  await copyFile(
    path.join(import.meta.dirname, 'size-budget.mjs'),
    path.join(root, 'bin/size-budget.mjs'),
  );
});
afterEach(() => rm(root, { recursive: true, force: true }));

/**
 * Writes imports followed by incompressible bytes, so that the file compresses to its declared
 * size.
 */
const asset = (name: string, bytes: number, imports = '') =>
  writeFile(
    path.join(root, 'build/client/assets', name),
    Buffer.concat([Buffer.from(imports), randomBytes(bytes)]),
  );

interface Page {
  id: string;
  script?: number;
  styles?: number;
  parentId?: string;
}

const visitors = 'storefront/chrome/site-layout';
const account = 'storefront/chrome/account-layout';
/** The bytes of the scripts and stylesheets that the pages share. */
const usual = {
  entry: 1_000,
  react: 60_000,
  search: 2_000,
  account: 2_000,
  form: 4_000,
  notify: 3_000,
  base: 1_000,
};
const home = { id: 'storefront/home/home-page' };

/**
 * Runs the size check on a build of these pages. Each page has its own script and stylesheet in
 * addition to the shared ones.
 */
async function weigh(pages: Page[], more: Partial<typeof usual> = {}) {
  const shared = { ...usual, ...more };
  const react = `import{r}from"./react-01234567.js";`;
  await asset('entry.client-01234567.js', shared.entry, `import"./acts.js";import('./later.js');`);
  await asset('acts.js', 1_000, `import"./react-alone.js";`);
  await asset('react-alone.js', 100);
  await asset('later.js', 500_000);
  await asset('react-01234567.js', shared.react);
  await asset('search-box-01234567.js', shared.search, react);
  await asset('start-account-01234567.js', shared.account, `import('./later.js');`);
  await asset('credential-islands-01234567.js', shared.form, react);
  await asset('push-switch-01234567.js', shared.notify, react);
  await asset('search-box-of-others-01234567.js', 500_000);
  await asset('base-abc.css', shared.base);
  const routes: Record<string, object> = { root: { id: 'root', module: '/assets/root.js' } };
  await asset('root.js', 1_000, react);
  for (const id of [visitors, account]) {
    routes[id] = { id, parentId: 'root', module: '/assets/root.js' };
  }
  for (const { id, script = 1_000, styles = 1_000, parentId = visitors } of pages) {
    const name = id.replaceAll('/', '-');
    await asset(`${name}.js`, script, react);
    await asset(`${name}.css`, styles);
    const css = [`/assets/${name}.css#`, `/assets/${name}.css`];
    routes[id] = { id, parentId, module: `/assets/${name}.js`, css };
  }
  const manifest = { entry: { module: '/assets/entry.client-01234567.js' }, routes };
  await asset('manifest-0a1b2c.js', 0, `window.__manifest=${JSON.stringify(manifest)};`);
  return new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, [path.join(root, 'bin/size-budget.mjs')], (error, out) =>
      resolve({ code: error ? Number(error.code) : 0, out }),
    );
  });
}

test('prints the size of a page within its budget, without a visitor page’s own script', async () => {
  const { code, out } = await weigh([{ ...home, script: 400_000 }]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^ok +script of a visitor page before any interaction: 2\.\d kB of 6\.0 kB$/m,
  );
  expect(out).toMatch(
    /^ok +script of a visitor page whose search is used: 6\d\.\d kB of 85\.0 kB$/m,
  );
  expect(out).toMatch(/^ok +styles of storefront\/home\/home-page: 2\.\d kB of 20\.0 kB$/m);
  expect(out).not.toContain('script of storefront');
});

test.each([
  [{ entry: 5_000 }, 'a visitor page before any interaction'],
  [{ react: 82_000 }, 'a visitor page whose search is used'],
  [{ search: 25_000 }, 'a visitor page whose search is used'],
  [{ account: 24_000 }, 'an account page before any interaction'],
  [{ form: 34_000 }, 'the sign-in page whose form is used'],
  [{ notify: 48_000 }, 'the price alerts of an account'],
])('fails on scripts above the budget: %j', async (shared, what) => {
  const { code, out } = await weigh([home], shared);
  expect(code).toBe(1);
  expect(out.match(/^TOO MUCH .*/gm)).toHaveLength(1);
  expect(out).toMatch(new RegExp(`^TOO MUCH script of ${what}`, 'm'));
});

test('fails on styles above the budget, including those on every page', async () => {
  const page = { ...home, styles: 15_000 };
  expect((await weigh([page])).code).toBe(0);
  const { code, out } = await weigh([page], { base: 6_000 });
  expect(code).toBe(1);
  expect(out).toMatch(/^TOO MUCH styles of/m);
});

test('fails on a font whose first file is too large, whatever the size of its other files', async () => {
  await asset('plain-latin-ext-wght-normal-01234567.woff2', 90_000);
  await asset('plain-latin-wght-normal-01234567.woff2', 50_000);
  expect((await weigh([home])).code).toBe(0);
  await asset('plain-latin-wght-normal-01234567.woff2', 56_000);
  const { code, out } = await weigh([home]);
  expect(code).toBe(1);
  expect(out).toMatch(/^TOO MUCH font file plain-latin-wght-normal/m);
});

test('counts chunks that are shared within a page once', async () => {
  const { out } = await weigh([{ id: 'account/profile-page', parentId: account }]);
  expect(out).toMatch(/script of the sign-in page whose form is used: 6\d\.\d kB/);
});

test('checks the size of account pages with their own scripts and styles, and skips staff pages', async () => {
  const { code, out } = await weigh([
    { id: 'account/profile-page', script: 400_000, parentId: account },
    { id: 'admin/outbox/outbox-page', script: 500_000, parentId: 'admin/admin-layout' },
  ]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^ok +script of an account page before any interaction: 4\.\d kB of 25\.0 kB$/m,
  );
  expect(out).toMatch(/^ok +script of the price alerts of an account: 6\d\.\d kB of 110\.0 kB$/m);
  expect(out).toMatch(/^ok +styles of account\/profile-page/m);
  expect(out).not.toContain('script of account');
  expect(out).not.toContain('outbox');
});

test('fails the size check if a known script was renamed', async () => {
  await weigh([home]);
  await rm(path.join(root, 'build/client/assets/search-box-01234567.js'));
  const again = new Promise<number>((resolve) => {
    execFile(process.execPath, [path.join(root, 'bin/size-budget.mjs')], (error) =>
      resolve(Number(error?.code ?? 0)),
    );
  });
  expect(await again).toBe(1);
});
