import { beforeEach, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0' };

async function search(
  words: string,
  address: string,
  headers: Record<string, string> = browser,
): Promise<string> {
  const path = `/deals?${new URLSearchParams({ search: words })}`;
  return (await site.request(path, { headers, address })).text();
}

const missed = () =>
  database.db.selectFrom('missed_searches').select(['words', 'visitors']).execute();

beforeEach(async () => void (await insertDeal(database.db, { title: 'Oak chiffonier' })));

test('lists a search without a result once three visitors have made it', async () => {
  const admin = await signedInVisitor(database, site, 'admin');
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) await search('Credenza', address);
  await search('credenza', '192.0.2.9', { 'user-agent': 'Googlebot/2.1' });
  expect(await missed()).toEqual([{ words: 'credenza', visitors: 2 }]);
  expect((await admin.open('/admin/search')).html).not.toContain('credenza');
  await search('credenza', '192.0.2.3');
  const { html } = await admin.open('/admin/search');
  expect(html).toContain('credenza');
  expect(html).toContain('/admin/search?word=credenza#synonyms');
  const marks = await database.db.selectFrom('missed_search_visitors').selectAll().execute();
  expect(JSON.stringify(marks)).not.toContain('192.0.2');
});

test('does not count a search that may be personal or finds a deal', async () => {
  for (const words of ['ann@example.com', '555 12345678', 'oak chiffonier'])
    await search(words, '192.0.2.1');
  expect(await missed()).toEqual([]);
});

test('does not count a search that the browser prefetches', async () => {
  const ahead: Record<string, string> = { ...browser, 'sec-purpose': 'prefetch' };
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    await search('credenza', address, ahead);
  expect(await missed()).toEqual([]);
});

test('finds deals by the owner’s synonym until it is deleted', async () => {
  const admin = await signedInVisitor(database, site, 'admin');
  expect(await search('credenza', '192.0.2.1')).toContain('Nothing matches');
  await admin.send('/admin/search', { intent: 'add', words: ' Credenza,  chiffonier' });
  expect((await admin.open('/admin/search')).html).toContain(
    'Synonyms added: credenza, chiffonier.',
  );
  expect(await search('credenza', '192.0.2.1')).toContain('Also searched for');
  const again = await admin.send('/admin/search', { intent: 'add', words: 'credenza, chiffonier' });
  expect([again.status, again.html]).toEqual([422, expect.stringContaining('already have')]);
  const { id } = await database.db
    .selectFrom('search_synonyms')
    .select('id')
    .executeTakeFirstOrThrow();
  await admin.send('/admin/search', { intent: 'delete', id: String(id) });
  expect(await search('credenza', '192.0.2.1')).not.toContain('Also searched for');
  expect((await admin.open('/admin/audit')).html).toContain('synonym');
});

test.each(['sofa', ',', 'a > b > c', '> sofa'])('refuses %j as synonyms', async (words) => {
  const admin = await signedInVisitor(database, site, 'admin');
  const { status, html } = await admin.send('/admin/search', { intent: 'add', words });
  expect(status).toBe(422);
  expect(html).toContain('at least two words');
});
