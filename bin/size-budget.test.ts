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

/** Bytes that do not compress, so that a file weighs what it says. */
const asset = (name: string, bytes: number) =>
  writeFile(path.join(root, 'build/client/assets', name), randomBytes(bytes));

interface Page {
  id: string;
  script?: number;
  styles?: number;
  parentId?: string;
}

/** A build of these pages, each with a script and a sheet of its own beside what all of them share. */
async function weigh(pages: Page[], shared = { script: 1_000, base: 1_000 }) {
  const layout = 'storefront/chrome/site-layout';
  const routes: Record<string, object> = {
    root: { id: 'root', module: '/assets/root.js' },
    [layout]: { id: layout, parentId: 'root', module: '/assets/layout.js' },
  };
  for (const name of ['root.js', 'layout.js', 'vendor.js']) await asset(name, shared.script);
  await asset('base-abc.css', shared.base);
  await asset('entry.js', 100);
  for (const { id, script = 1_000, styles = 1_000, parentId = layout } of pages) {
    const name = id.replaceAll('/', '-');
    await asset(`${name}.js`, script);
    await asset(`${name}.css`, styles);
    routes[id] = {
      id,
      parentId,
      module: `/assets/${name}.js`,
      imports: ['/assets/vendor.js'],
      css: [`/assets/${name}.css`],
    };
  }
  const manifest = {
    entry: { module: '/assets/entry.js', imports: ['/assets/vendor.js'] },
    routes,
  };
  await writeFile(
    path.join(root, 'build/client/assets/manifest-0a1b2c-visitor.js'),
    `window.__manifest=${JSON.stringify(manifest)};`,
  );
  return new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, [path.join(root, 'bin/size-budget.mjs')], (error, out) =>
      resolve({ code: error ? Number(error.code) : 0, out }),
    );
  });
}

test('a page within its budget is ok, and told with its weight', async () => {
  const { code, out } = await weigh([{ id: 'storefront/home/home-page', script: 40_000 }]);
  expect(code).toBe(0);
  expect(out).toMatch(/^ok +script of storefront\/home\/home-page: 4\d\.\d kB of 130\.0 kB$/m);
  expect(out).toMatch(/^ok +styles of storefront\/home\/home-page: 2\.\d kB of 20\.0 kB$/m);
});

test('one page with too much script fails it all', async () => {
  const pages = [
    { id: 'storefront/home/home-page', script: 130_000 },
    { id: 'storefront/blog/blog-page' },
  ];
  const { code, out } = await weigh(pages);
  expect(code).toBe(1);
  expect(out).toMatch(/^TOO MUCH script of storefront\/home\/home-page/m);
  expect(out).toMatch(/^ok +script of storefront\/blog\/blog-page/m);
});

test('so do too many styles, those that every page links counted', async () => {
  const page = { id: 'storefront/home/home-page', styles: 15_000 };
  expect((await weigh([page])).code).toBe(0);
  const { code, out } = await weigh([page], { script: 1_000, base: 6_000 });
  expect(code).toBe(1);
  expect(out).toMatch(/^TOO MUCH styles of/m);
});

test('what several parts of a page share is counted once', async () => {
  const { out } = await weigh([{ id: 'storefront/home/home-page' }], { script: 30_000, base: 1 });
  expect(out).toMatch(/script of storefront\/home\/home-page: 9\d\.\d kB/);
});

test('the pages of an account may bring a little more, those of staff are not weighed', async () => {
  const { code, out } = await weigh([
    { id: 'account/profile-page', script: 132_000 },
    { id: 'admin/outbox/outbox-page', script: 500_000, parentId: 'admin/admin-layout' },
  ]);
  expect(code).toBe(0);
  expect(out).toMatch(/^ok +script of account\/profile-page: 13\d\.\d kB of 140\.0 kB$/m);
  expect(out).not.toContain('outbox');
});
