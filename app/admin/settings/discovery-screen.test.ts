import { expect, test } from 'vitest';
import { indexNowKey } from '#app/features/discovery/index-now-key.server.ts';
import {
  readSiteSettings,
  writeSiteSetting,
} from '#app/features/site-settings/site-settings-queries.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const address = '/admin/settings?section=discovery';
const env = readEnv({ NODE_ENV: 'test', ORIGIN: 'http://shop.deals.dev' });
const admin = () => signedInVisitor(database, testSite(database, { env }), 'admin');
const stored = async () => {
  const { indexNow, indexNowEndpoint, webSubHub } = await readSiteSettings(database.db);
  return { indexNow, indexNowEndpoint, webSubHub };
};
const textOf = (html: string) =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

test('turns IndexNow and WebSub on and off, and records both', async () => {
  const visitor = await admin();
  const off = textOf((await visitor.open(address)).html);
  expect(off).toMatch(/IndexNow Off .*WebSub Off/);
  expect(off).not.toContain('Search engines check the key');
  const hub = 'https://hub.deals.dev/';
  const on = await visitor.send(address, {
    indexNow: 'on',
    indexNowEndpoint: '',
    webSubHub: hub,
    version: '0',
  });
  expect([on.status, flashOf(on)]).toEqual([302, 'Settings saved.']);
  expect(await stored()).toEqual({
    indexNow: true,
    indexNowEndpoint: 'https://api.indexnow.org/indexnow',
    webSubHub: hub,
  });
  await insertDeal(database.db);
  const { html } = await visitor.open(address);
  const shown = textOf(html);
  expect(shown).toMatch(
    /IndexNow On .*Last success None yet .*Waiting 1 page .*WebSub On .*2 feeds/,
  );
  expect(shown).toContain('http://shop.deals.dev/indexnow-key.txt');
  const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
  await visitor.send(address, { indexNowEndpoint: '', webSubHub: '', version });
  expect(await stored()).toMatchObject({ indexNow: false, webSubHub: '' });
  expect(await database.db.selectFrom('discovery_queue').select('path').execute()).toEqual([]);
  const log = await database.db.selectFrom('audit_log').select('entity_id').orderBy('id').execute();
  expect(log.map(({ entity_id }) => entity_id)).toEqual(['discovery', 'discovery']);
});

test('keeps what was typed when a URL is wrong', async () => {
  const visitor = await admin();
  const { status, html } = await visitor.send(address, {
    indexNow: 'on',
    indexNowEndpoint: 'javascript:alert(1)',
    webSubHub: 'hub.deals.dev',
    version: '0',
  });
  expect(status).toBe(422);
  expect(html.match(/Must be a valid URL/g)?.length).toBeGreaterThanOrEqual(2);
  expect(html).toContain('value="javascript:alert(1)"');
  expect(html).toContain('value="hub.deals.dev"');
  expect(await stored()).toMatchObject({ indexNow: false, webSubHub: '' });
});

test('explains a refusal, and tries again when the settings are saved', async () => {
  await writeSiteSetting(database.db, 'indexNow', true, 'test');
  await insertDeal(database.db);
  await database.db
    .updateTable('discovery_services')
    .set({ stopped_at: new Date(), failed_at: new Date(), last_error: 'it refused <b>(403)</b>' })
    .execute();
  const visitor = await admin();
  const { html } = await visitor.open(address);
  expect(html).toContain('it refused &lt;b&gt;(403)&lt;/b&gt;');
  expect(textOf(html)).toContain('IndexNow Stopped');
  expect(html).toContain('press Save to try again');
  const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
  await visitor.send(address, { indexNow: 'on', indexNowEndpoint: '', webSubHub: '', version });
  expect(textOf((await visitor.open(address)).html)).toContain('IndexNow On');
});

test('explains why a site without a public URL sends nothing', async () => {
  await writeSiteSetting(database.db, 'indexNow', true, 'test');
  const local = testSite(database, {
    env: readEnv({ NODE_ENV: 'test', ORIGIN: 'http://localhost:3000' }),
  });
  const visitor = await signedInVisitor(database, local, 'admin');
  const { html } = await visitor.open(address);
  expect(textOf(html)).toContain(
    'Nothing is sent for now. The site’s address http://localhost:3000 is not public.',
  );
});

test('serves the key only while IndexNow is on', async () => {
  const site = testSite(database, { env });
  expect((await site.request('/indexnow-key.txt')).status).toBe(404);
  await writeSiteSetting(database.db, 'indexNow', true, 'test');
  const response = await site.request('/indexnow-key.txt');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toBe(await indexNowKey(database.db));
});
