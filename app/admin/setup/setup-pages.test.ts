import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { firstSteps } from '#app/features/desk/first-steps.ts';
import { readFirstSteps } from '#app/features/desk/desk-queries.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { flashOf, givePassword, signedInVisitor, staffPassword } from '#test/staff.ts';

const database = useTestDatabase();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'setup-'));
});
afterAll(() => rm(folder, { recursive: true }));
const owner = (more: Record<string, string> = {}) => {
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, DATA_DIR: folder, ...more });
  return signedInVisitor(database, testSite(database, { env }), 'super_admin');
};
const deals = () => database.db.selectFrom('deals').select('is_demo').execute();

test('sets name, currency and time zone in step 2, and redirects to step 3', async () => {
  const visitor = await owner();
  const { html } = await visitor.open('/admin/setup/site');
  expect(html).toContain('Step 2 of 5');
  const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
  const sent = await visitor.send('/admin/setup/site', {
    siteName: 'Barn',
    currency: 'gbp',
    timeZone: 'Europe/London',
    figuresMode: 'measured',
    version,
  });
  expect(sent.headers.get('location')).toBe('/admin/setup/brand');
  expect(await readSiteSettings(database.db)).toMatchObject({
    siteName: 'Barn',
    currency: 'GBP',
    timeZone: 'Europe/London',
    tagline: 'Deals that show their price history.',
  });
});

test('explains in step 2 which demo values are kept', async () => {
  await insertDeal(database.db, { is_demo: true });
  const { html } = await (await owner()).open('/admin/setup/site');
  expect(html.replaceAll('<!-- -->', '')).toContain(
    'in the settings. Demo values that you don’t change are removed with the demo shop.',
  );
});

test('omits every blank fact in step 2', async () => {
  const visitor = await owner();
  const { html } = await visitor.open('/admin/setup/site');
  for (const name of ['contactEmail', 'contactPhone', 'company', 'openingYear'])
    expect(html).toMatch(new RegExp(`<input[^>]*name="${name}"[^>]*value=""`));
  expect(html).toMatch(/<option value="measured" selected="">/);
  expect(html).toMatch(/<option value="USD" selected="">USD: US Dollar/);
  expect(html).toMatch(/<option value="UTC" selected="">/);
  expect(html).toContain('<option value="Europe/Berlin">');
  await visitor.send('/admin/setup/site', {
    siteName: 'Barn',
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    contactPhone: '+49 30 1',
    openingYear: '2019',
    affiliateProgrammes: 'Awin\n',
    figuresMode: 'none',
    version: '0',
  });
  expect(await readSiteSettings(database.db)).toMatchObject({
    contactEmail: '',
    contactPhone: '+49 30 1',
    supportTimes: [],
    openingYear: 2019,
    affiliateProgrammes: ['Awin'],
    figuresMode: 'none',
  });
});

test('rejects invalid input in step 2 at its field', async () => {
  const { status, html } = await (
    await owner()
  ).send('/admin/setup/site', {
    siteName: '',
    currency: '$',
    timeZone: 'UTC',
    figuresMode: '',
    version: '0',
  });
  expect(status).toBe(422);
  expect(html).toContain('This field is required');
  expect(html).toContain('The three letters of a currency');
  expect(html).toContain('Choose one of the options');
});

/**
 * Submits step 4 for a server that knows one account. Returns the response and the stored server.
 */
async function sendMailStep(typed: Record<string, string>) {
  const account = { user: 'shop', password: 'a long secret 77' };
  const server = await startSmtpStandIn(undefined, { account });
  try {
    const visitor = await owner();
    await givePassword(database, visitor.userId);
    const { html } = await visitor.open('/admin/setup/mail');
    expect(html).toContain('Step 4 of 5');
    const sent = await visitor.send('/admin/setup/mail', {
      host: '127.0.0.1',
      port: String(server.port),
      user: account.user,
      smtp_password: account.password,
      from: 'deals@shop.example',
      version: /name="version" value="(\d+)"/.exec(html)?.[1] ?? '',
      password: staffPassword,
      ...typed,
    });
    const { mailServer } = await readSiteSettings(database.db);
    return { sent, stored: mailServer, port: server.port };
  } finally {
    await server.close();
  }
}

test('stores a working mail server with an encrypted password in step 4, and redirects to step 5', async () => {
  const { sent, stored, port } = await sendMailStep({});
  expect([sent.status, sent.headers.get('location')]).toEqual([302, '/admin/setup/data']);
  expect(flashOf(sent)).toBe('Email server saved.');
  expect(stored).toMatchObject({
    host: '127.0.0.1',
    port,
    user: 'shop',
    from: 'deals@shop.example',
    password: expect.stringMatching(/./),
  });
  expect(JSON.stringify(stored)).not.toContain('a long secret 77');
});

test.each([
  ['smtp_password', 'wrong', 'The server rejected the user name or the password.'],
  ['host', 'nowhere.invalid', 'This name was not found.'],
  ['port', '70000', 'A port from 1 to 65535, usually 587 or 465'],
])('shows the error at the field %s of a refused server in step 4', async (name, typed, words) => {
  const { sent, stored } = await sendMailStep({ [name]: typed });
  expect([sent.status, stored]).toEqual([422, null]);
  const field = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(sent.html)?.[0] ?? '';
  const note = / aria-describedby="([^"]+)"/.exec(field)?.[1] ?? '';
  expect(field).toContain('aria-invalid="true"');
  expect(new RegExp(`id="${note}"[^>]*>([^<]*)`).exec(sent.html)?.[1]).toBe(words);
  expect(sent.html).toContain('Step 4 of 5');
  expect(sent.html).toMatch(/<input[^>]*name="user"[^>]*value="shop"/);
  expect(sent.html).toMatch(/<input[^>]*name="from"[^>]*value="deals@shop.example"/);
  expect(sent.html).not.toContain('a long secret 77');
});

test('uses the mail server set by the environment in step 4, and then shows no form', async () => {
  const visitor = await owner({
    SMTP_URL: 'smtp://mail.example:2525',
    SMTP_FROM: 'env@shop.example',
  });
  const { html } = await visitor.open('/admin/setup/mail');
  expect(html.replaceAll('<!-- -->', '')).toContain('Emails are sent by smtp mail.example');
  expect(html).toMatch(/<a[^>]*href="\/admin\/setup\/data"[^>]*>Continue/);
  expect(html).not.toContain('name="host"');
});

test.each([
  ['demo', '/admin', true],
  ['empty', '/admin', false],
  ['import', '/admin/imports/new', false],
])('redirects from the choice %s in step 5 to %s', async (choice, target, isKept) => {
  await insertDeal(database.db, { is_demo: true });
  const visitor = await owner();
  expect((await visitor.open('/admin/setup/data')).html).toContain('Keep the demo shop');
  const sent = await visitor.send('/admin/setup/data', { choice });
  expect(sent.headers.get('location')).toBe(target);
  expect((await deals()).length > 0).toBe(isKept);
});

test('fills an empty site with the demo shop in step 5', async () => {
  const visitor = await owner();
  const { html } = await visitor.open('/admin/setup/data');
  expect(html).toContain('Explore with demo data');
  expect(html).toMatch(/checked=""[^>]*value="empty"|value="empty"[^>]*checked=""/);
  await visitor.send('/admin/setup/data', { choice: 'demo' });
  expect((await deals()).length).toBeGreaterThan(100);
});

test('requires a choice in step 5', async () => {
  const { status, html } = await (await owner()).send('/admin/setup/data', { choice: 'x' });
  expect(status).toBe(422);
  expect(html).toContain('Choose one of the options.');
});

// Proves Design: First run: four steps, checklist (setup-data-page.tsx)
test('ticks completed setup steps in the checklist, and hides it on request', async () => {
  const visitor = await owner();
  expect((await visitor.open('/admin')).html).toMatch(/Getting started: (?:<!-- -->)?0/);
  await database.db
    .insertInto('site_settings')
    .values({ name: 'postalAddress', value: '"1 Main Street"' })
    .execute();
  expect((await visitor.open('/admin')).html).toMatch(/Getting started: (?:<!-- -->)?1/);
  await visitor.send('/admin', { intent: 'dismiss-checklist' });
  expect((await visitor.open('/admin')).html).not.toContain('Getting started');
});

test('ticks the import step after a real run, and the backup step after a written backup', async () => {
  expect(await readFirstSteps(database.db)).toEqual({ hasImported: false, hasBackup: false });
  const run = { source_name: 'Feed', format: 'csv', state: 'done' as const };
  await database.db
    .insertInto('import_runs')
    .values({ ...run, is_dry_run: true })
    .execute();
  expect(await readFirstSteps(database.db)).toMatchObject({ hasImported: false });
  await database.db.insertInto('import_runs').values(run).execute();
  await database.db
    .insertInto('audit_log')
    .values({ actor: 'cli', action: 'site.backup', entity: 'site' })
    .execute();
  expect(await readFirstSteps(database.db)).toEqual({ hasImported: true, hasBackup: true });
});

test('ticks each setup step independently of the others', () => {
  const none = {
    hasLogo: false,
    hasMailServer: false,
    hasImported: false,
    hasBackup: false,
    hasPostalAddress: false,
  };
  for (const name of Object.keys(none)) {
    const done = firstSteps({ ...none, [name]: true }).filter(({ isDone }) => isDone);
    expect([name, done.length]).toEqual([name, 1]);
  }
});
