import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCategory, insertDeal } from '#test/factories/insert.ts';
import { sampleDeals } from '#app/features/feeds/runs/sample-deals.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'settings-'));
});
afterAll(() => rm(folder, { recursive: true }));
const env = () => readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, DATA_DIR: folder });
const admin = () => signedInVisitor(database, testSite(database, { env: env() }), 'admin');
const stored = () => readSiteSettings(database.db);
const audited = () =>
  database.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'entity_id'])
    .orderBy('id')
    .execute();

const site = {
  siteName: 'Bargain Barn',
  tagline: 'Cheap and cheerful',
  contactEmail: 'hello@barn.example',
  contactPhone: '+1 555',
  supportTimes: 'Monday | 9 to 5',
  replyHours: '12',
  currency: 'EUR',
  timeZone: 'Europe/Berlin',
  version: '0',
};

// Proves Back office 2: Settings: current user, Data Management, System Info (settings-page.tsx)
// Proves Back office 2: Settings: current user, sections (settings-page.tsx)
test('shows the signed-in user, and one section at a time', async () => {
  const visitor = await signedInVisitor(
    database,
    testSite(database, { env: env() }),
    'super_admin',
    { email: 'owner@barn.example' },
  );
  await database.db.updateTable('users').set({ full_name: '' }).execute();
  const { html } = await visitor.open('/admin/settings');
  expect(html).toMatch(/Admin User.*owner@barn\.example.*super_admin/s);
  expect(html).toContain('value="Deal Hub"');
  expect(html).not.toContain('Maintenance Mode Settings');
  expect((await visitor.open('/admin/settings?section=maintenance')).html).toContain(
    'Maintenance Mode Settings',
  );
});

test('applies saved settings to the site’s pages, with an audit entry', async () => {
  const visitor = await admin();
  const sent = await visitor.send('/admin/settings?section=site', site);
  expect([sent.status, sent.headers.get('location')]).toEqual([
    302,
    '/admin/settings?section=site',
  ]);
  expect((await visitor.open('/admin/settings')).html).toContain('Settings saved.');
  expect(await stored()).toMatchObject({
    siteName: 'Bargain Barn',
    replyHours: 12,
    currency: 'EUR',
  });
  expect((await visitor.open('/')).html).toContain('aria-label="Bargain Barn home"');
  expect(await audited()).toEqual([
    { actor: visitor.userId, action: 'settings.update', entity_id: 'site' },
  ]);
});

test('shows errors at their fields, keeps all input, and saves nothing', async () => {
  const { status, html } = await (
    await admin()
  ).send('/admin/settings?section=site', { ...site, timeZone: 'Mars/Base', replyHours: 'soon' });
  expect(status).toBe(422);
  expect(html).toContain('The name of a time zone, such as Europe/Berlin');
  expect(html).toContain('A whole number of hours');
  expect(html).toContain('value="Mars/Base"');
  expect((await stored()).siteName).toBe('Deal Hub');
});

// Proves P2: a change of the currency asks first (switch-currency.server.ts)
test('asks before changing the currency when a price is logged', async () => {
  const visitor = await admin();
  const deal = await insertDeal(database.db, { slug: 'lamp', sale_price: 129_950 });
  const asked = await visitor.send('/admin/settings?section=site', site);
  expect(asked.status).toBe(409);
  expect(asked.html).toContain('1 live deal will be hidden');
  expect(asked.html).toContain('Change the currency to EUR');
  expect(asked.html).toContain('value="Bargain Barn"');
  expect((await stored()).currency).toBe('USD');
  const sent = await visitor.send('/admin/settings?section=site', { ...site, confirmed: 'on' });
  expect(sent.status).toBe(302);
  expect((await visitor.open('/admin/deals?show=waiting')).html).toContain(
    'Waiting for a price in EUR',
  );
  const { html } = await visitor.open(`/admin/deals/${deal.id}/edit`);
  expect(html).toContain('The last price was $1,299.50');
  expect(html).toMatch(/name="sale_price"[^>]* value=""/);
  expect((await visitor.open('/deals/lamp')).status).toBe(404);
});

test('R47: shows both versions to the second of two users who save', async () => {
  const visitor = await admin();
  await visitor.send('/admin/settings?section=site', site);
  const late = await visitor.send('/admin/settings?section=site', { ...site, siteName: 'Mine' });
  expect(late.status).toBe(409);
  expect(late.html).toContain('Someone else saved these settings in the meantime.');
  expect(late.html).toMatch(/<td>Bargain Barn<\/td><td>Mine<\/td>/);
});

test('P30: lets staff choose home page text and measured statistics', async () => {
  const visitor = await admin();
  const words = {
    figuresMode: 'measured',
    figures: '5 | stores',
    heroKicker: 'Hello',
    heroTitle: 'Barn full of bargains',
    heroText: 'Come in.',
    heroClaims: 'One\nTwo',
    version: '0',
  };
  await visitor.send('/admin/settings?section=words', words);
  const { html } = await visitor.open('/');
  expect(html).toContain('Barn full of bargains');
  expect((await stored()).figuresMode).toBe('measured');
});

// Proves P28: the digest’s and the opt-in’s settings (settings-sections.ts)
test('P28: stores an unticked box as off', async () => {
  const visitor = await admin();
  await visitor.send('/admin/settings?section=newsletter', {
    postalAddress: '1 Main Street',
    hotDealsEnabled: 'on',
    doubleOptIn: 'on',
    version: '0',
  });
  expect(await stored()).toMatchObject({
    postalAddress: '1 Main Street',
    digestEnabled: false,
    hotDealsEnabled: true,
    doubleOptIn: true,
  });
});

// Proves Back office 2: Settings: Maintenance Mode Settings (section-form.tsx)
test('P14: asks first when maintenance would lock out the user’s own IP address', async () => {
  const visitor = await admin();
  const mode = {
    intent: 'maintenance',
    enabled: 'on',
    message: 'Away',
    gateSiteName: 'Barn',
    version: '0',
  };
  const asked = await visitor.send('/admin/settings?section=maintenance', mode);
  expect(asked.status).toBe(409);
  expect(asked.html).toContain('Your own address (192.0.2.1) is not on the list.');
  expect(asked.html).toContain('name="confirmed"');
  // The confirmation is not styled as an error.
  expect(asked.html).toContain('data-asks=""');
  expect(asked.html).toContain('Please confirm');
  expect(asked.html).not.toContain('Error saving settings');
  const sure = await visitor.send('/admin/settings?section=maintenance', {
    ...mode,
    confirmed: 'on',
  });
  expect(sure.status).toBe(302);
  expect((await stored()).maintenance).toMatchObject({ enabled: true, message: 'Away' });
});

test('P14: shows staff on every page that visitors are locked out, with a link to open the site', async () => {
  const visitor = await admin();
  const member = await signedInVisitor(database, testSite(database, { env: env() }), 'user');
  const words = 'Maintenance mode keeps visitors out.';
  const pages = ['/admin', '/admin/deals', '/', '/deals', '/profile'];
  for (const page of pages) expect((await visitor.open(page)).html).not.toContain(words);
  const fields = { intent: 'maintenance', enabled: 'on', message: 'Away', gateSiteName: 'Barn' };
  const address = '/admin/settings?section=maintenance';
  await visitor.send(address, { ...fields, version: '0', confirmed: 'on' });
  for (const page of pages) {
    const { html } = await visitor.open(page);
    expect([page, html.includes(words), html.includes('Open the site')]).toEqual([
      page,
      true,
      true,
    ]);
  }
  const { html } = await visitor.open('/admin');
  expect(html.lastIndexOf(words)).toBeGreaterThan(html.indexOf('Needs attention'));
  expect((await member.open('/deals')).html).not.toContain(words);
  const opened = await visitor.send(address, { intent: 'open-site' });
  expect(flashOf(opened)).toBe('The site is open to everyone.');
  expect((await stored()).maintenance).toMatchObject({ enabled: false, message: 'Away' });
  expect((await visitor.open('/admin')).html).not.toContain(words);
});

test('R47: shows both versions of the gate’s state, and lets the second user overwrite', async () => {
  const [mine, theirs] = [await admin(), await admin()];
  const page = '/admin/settings?section=maintenance';
  const fields = { intent: 'maintenance', gateSiteName: 'Barn', version: '0' };
  await theirs.send(page, { ...fields, message: 'Back at noon', showDebugInfo: 'on' });
  const typed = { ...fields, message: 'Back at <two>' };
  const refused = await mine.send(page, typed);
  expect(refused.status).toBe(409);
  expect(refused.html).toContain('Someone else saved these settings in the meantime.');
  expect(refused.html).toMatch(/Back at noon.*Back at &lt;two&gt;/s);
  expect(refused.html).toContain('Use theirs: Show debug info');
  expect((await stored()).maintenance.message).toBe('Back at noon');
  const version = /name="version" value="(\d+)"/.exec(refused.html)?.[1] ?? '';
  expect(version).not.toBe('0');
  expect((await mine.send(page, { ...typed, version })).status).toBe(302);
  expect((await stored()).maintenance).toMatchObject({
    message: 'Back at <two>',
    showDebugInfo: false,
  });
});

test('sends a test email to the user’s own email address, and shows the server’s response', async () => {
  const visitor = await admin();
  const { location } = Object.fromEntries(
    (await visitor.send('/admin/settings?section=mail', { intent: 'test-mail' })).headers,
  );
  expect(location).toMatch(/^\/admin\/settings\?section=mail&mail=\d+$/);
  expect((await visitor.open(location ?? '')).html).toContain('>Queued<');
  await database.db
    .updateTable('mail_outbox')
    .set({ state: 'failed', last_error: '550 no such user' })
    .execute();
  const { html } = await visitor.open(location ?? '');
  expect(html).toMatch(/>Failed<.*550 no such user/s);
  const other = await admin();
  expect((await other.open(location ?? '')).html).not.toContain('550 no such user');
});

// Proves Back office 2: Settings: Import Deals and its results (import-samples.server.ts)
test('P42: imports the six samples, or lists those that failed', async () => {
  const visitor = await admin();
  const none = await visitor.send('/admin/settings?section=data', { intent: 'import-samples' });
  expect(none.html).toContain('Failed to import deals. Please try again.');
  expect(none.html).toContain('Import Results');
  expect(none.html).toMatch(/Category .* not found for deal /);
  for (const name of new Set(sampleDeals.map((deal) => deal.categoryName))) {
    await insertCategory(database.db, { name });
  }
  const all = await visitor.send('/admin/settings?section=data', { intent: 'import-samples' });
  expect(all.html).toContain('Successfully imported 6 deals!');
  expect(await audited()).toMatchObject([
    { action: 'import.samples' },
    { action: 'import.samples' },
  ]);
});

// Proves Back office 2: Settings: Seed Sample Data (act-on-settings.server.ts)
test('reports the result of Seed Sample Data in the settings', async () => {
  const visitor = await admin();
  await visitor.send('/admin/settings?section=data', { intent: 'seed' });
  expect((await visitor.open('/admin/settings?section=data')).html).toContain(
    'Added 6 categories, 3 merchants and 2 deals',
  );
});

// Proves Back office 2: Settings: Clear Cache (clear-page-cache.server.ts)
// Proves P44: Clear Cache (clear-page-cache.server.ts)
test('P44: clears the page cache of every process', async () => {
  const visitor = await admin();
  const listener = new Client({ connectionString: database.url });
  await listener.connect();
  try {
    await listener.query('listen pages');
    const heard = new Promise((resolve) => {
      listener.on('notification', ({ payload }) => resolve(payload));
    });
    await visitor.send('/admin/settings?section=data', { intent: 'clear-cache' });
    expect(await heard).toBe('all');
  } finally {
    await listener.end();
  }
  expect((await visitor.open('/admin/settings?section=data')).html).toContain(
    'Cache cleared successfully!',
  );
});

test('P38: shows measured values in System Info', async () => {
  const { html } = await (await admin()).open('/admin/settings?section=system');
  expect(html).toMatch(/<dt>Environment<\/dt><dd>test<\/dd>/);
  expect(html).toMatch(/<dt>Build<\/dt><dd>\w+ \d+, 20\d\d/);
  expect(html).toContain(`<dd>${process.versions.node}</dd>`);
  expect(html).toMatch(/<dd>PostgreSQL \d+/);
});

test('rejects an unknown action', async () => {
  const visitor = await admin();
  expect((await visitor.send('/admin/settings', { intent: 'toString' })).status).toBe(400);
  expect((await visitor.send('/admin/settings?section=data', { a: 'b' })).status).toBe(400);
});
