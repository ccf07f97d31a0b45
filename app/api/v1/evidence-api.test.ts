import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEvidenceSite } from '#app/features/evidence/change-evidence-sites.server.ts';
import { openEvidenceKey } from '#app/features/evidence/evidence-key.server.ts';
import { writeCosigned } from '#app/features/evidence/signed-statements.ts';
import { verifyEvidence } from '#app/features/evidence/verify-evidence.ts';
import { findFolder } from '#database/find-folder.ts';
import { useTestDatabase } from '#test/database.ts';
import { sealAfter, tamper } from '#test/factories/plant-evidence.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useOwner } from '#test/run-deals.ts';
import { serveJson } from '#test/serve-site.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const owner = useOwner(database);
const site = testSite(database);
const script = path.join(findFolder('docs'), 'verify-evidence.mjs');

/** Serves the site's API to other processes. */
const server = createServer((request, answer) => {
  void (async () => {
    const response = await site.request(request.url ?? '/');
    answer.writeHead(response.status, { 'content-type': 'application/json' });
    answer.end(await response.text());
  })();
});
let origin = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function plantSealed(): Promise<number> {
  const deal = await plantDeal(database.db, [
    { daysAgo: 3, price: 1_000 },
    { daysAgo: 2, price: 800 },
    { daysAgo: 1, price: 850 },
  ]);
  await sealAfter(database.db, 0);
  return deal;
}

/** Runs the script from `docs/`, which uses no code of the site. */
function runScript(deal: number): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, origin, String(deal)], (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out: out + err }),
    );
  });
}

test('proves the prices of a deal to a client with the site’s public data only', async () => {
  const deal = await plantSealed();
  const response = await site.request(`/api/v1/deals/${deal}/evidence`);
  const evidence = await response.json();
  expect(evidence).toMatchObject({ deal_id: deal, state: 'kept', is_complete: true });
  expect(await verifyEvidence(evidence)).toMatchObject({ sealed: 3, waiting: 0, problems: [] });
  expect(await runScript(deal)).toEqual({
    code: 0,
    out: `3 signed days, 3 sealed entries of deal ${deal}, 0 not sealed yet. Nothing was changed.\n`,
  });
});

test.each([
  ['update price_log set sale_price = 1 where id = 2', 'price 2 was changed or inserted'],
  ['delete from price_log where id = 2', 'price 2 was removed: price 3 came after it.'],
  [
    `insert into price_log (id, deal_id, at, sale_price, availability, source) overriding system value
     select -1, deal_id, at, 1, 'in_stock', 'feed' from price_log where id = 2`,
    'price -1 was changed or inserted',
  ],
])('reports a change in the script and in `deals verify`: %s', async (change, words) => {
  const deal = await plantSealed();
  await tamper(database.db, change);
  const said = await runScript(deal);
  expect(said).toMatchObject({ code: 1, out: expect.stringContaining(words) });
  const verified = await owner.deals('verify');
  expect(verified.code).toBe(1);
  expect(verified.out).toMatch(/price -?\d of deal \d+ was (?:changed|removed|inserted later)\./);
});

test('stores a site’s days as a witness, and reports a day that the site rewrote', async () => {
  const { db } = database;
  await plantSealed();
  const file = path.join(owner.folder, 'roots.jsonl');
  const witness = () => owner.deals('witness', origin, '--file', file);
  expect(await witness()).toMatchObject({ code: 0, out: expect.stringContaining('3 added') });
  await sealAfter(db, 1);
  expect(await witness()).toMatchObject({ code: 0, out: expect.stringContaining('1 added') });
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(4);

  const days = await database.pool.query('select day from evidence_days order by day');
  // The site changes a logged price and seals its log again.
  await tamper(db, 'update price_log set sale_price = 1 where id = 2');
  await tamper(db, `delete from evidence_days where day >= '${days.rows[1].day}'`);
  await sealAfter(db, 1);
  expect((await owner.deals('verify')).code).toBe(0);
  const said = await witness();
  expect(said.code).toBe(1);
  for (const { day } of days.rows.slice(1)) {
    expect(said.out).toContain(`${day}: the site has rewritten this day.`);
  }
  expect(said.out).not.toContain(`${days.rows[0].day}:`);

  await tamper(db, `delete from evidence_days where day > '${days.rows[0].day}'`);
  expect((await witness()).out).toContain(`${days.rows[3].day}: the site no longer has this day.`);
});

test('reports to a witness a single day that the site signed again', async () => {
  const { db, pool } = database;
  await plantSealed();
  const file = path.join(owner.folder, 'one-day.jsonl');
  const witness = () => owner.deals('witness', origin, '--file', file);
  expect(await witness()).toMatchObject({ code: 0 });
  const { rows } = await pool.query('select day from evidence_days order by day');
  await tamper(db, `update evidence_days set root = sha256('x') where day = '${rows[0].day}'`);
  expect(await witness()).toMatchObject({
    code: 1,
    out: expect.stringContaining(`${rows[0].day}: the site has rewritten this day.`),
  });
});

test('reports a new key as a note if the old key signed it, and as a problem otherwise', async () => {
  const deal = await plantSealed();
  const { out } = await owner.deals('evidence', 'change-key');
  expect(out).toMatch(/^The next days are signed with the key [0-9a-f]{64}\./);
  await sealAfter(database.db, 1);
  expect((await owner.deals('verify')).out).toContain('signed with a new key.');
  expect(await runScript(deal)).toMatchObject({
    code: 0,
    out: expect.stringContaining('signed with a new key.'),
  });
  await database.pool.query('truncate evidence_key_changes');
  for (const said of [await owner.deals('verify'), await runScript(deal)]) {
    expect(said).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        'signed with a new key, and the old key did not sign the change',
      ),
    });
  }
});

test('lists the witnesses in the script, and reports a countersignature of another version', async () => {
  const deal = await plantSealed();
  const witness = await openEvidenceKey(database.db);
  const { data } = await (await site.request('/api/v1/evidence')).json();
  const address = 'https://witness.example';
  const id = await addEvidenceSite(database.db, { actor: 'cli', role: 'witness', address });
  await database.db
    .insertInto('cosignatures')
    .values({
      site_id: id ?? 0,
      day: data[2].day,
      cosigned_at: new Date(1_000_000),
      public_key: Buffer.from(witness.publicKey, 'hex'),
      signature: witness.sign(writeCosigned(data[2].text, 1_000)),
    })
    .execute();
  expect(await runScript(deal)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${address} countersigned through ${data[2].day}. Its key:`),
  });
  await database.pool.query(`update cosignatures set cosigned_at = now()`);
  expect(await runScript(deal)).toMatchObject({
    code: 1,
    out: expect.stringContaining(`${data[2].day}: ${address} countersigned another version.`),
  });
});

test('stops `deals witness` when a hostile site’s pages never end', async () => {
  const page = { data: [], next_from: '2000-01-01', key_changes: [] };
  const hostile = await serveJson(async () => ({ status: 200, body: JSON.stringify(page) }));
  const file = path.join(owner.folder, 'hostile.jsonl');
  const said = await owner.deals('witness', hostile.origin, '--file', file);
  await hostile.stop();
  expect(said).toMatchObject({ code: 1, err: expect.stringContaining('out of order') });
});

test.each([
  ['/api/v1/evidence?from=0000-01-01', 422],
  ['/api/v1/evidence/witnessed?site=https://a.example&from=0000-01-01', 422],
  ['/api/v1/evidence/witnessed?site=%00', 404],
])('responds to %s without a database error', async (address, status) => {
  expect((await site.request(address)).status).toBe(status);
});

test('reports in `deals verify` that nothing is sealed yet', async () => {
  expect(await owner.deals('verify')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Nothing is sealed yet.'),
  });
});

test('shows the newest days, the key and how to verify them', async () => {
  expect((await site.page('/evidence')).html).toContain('The first day is sealed tonight.');
  const deal = await plantSealed();
  const { html } = await site.page('/evidence');
  const { checkpoints } = await (await site.request(`/api/v1/deals/${deal}/evidence`)).json();
  const { text } = checkpoints.at(-1);
  expect(html).toContain(/^root (.*)$/m.exec(text)?.[1]);
  expect(html).toContain(/^key (.*)$/m.exec(text)?.[1]);
  const feed = await (await site.request('/feeds/evidence.json')).json();
  expect(feed.items).toHaveLength(3);
  expect(feed.items[0].content_html).toContain(`<pre>${text}</pre>`);
});

test.each([
  ['hidden', { hide_price_after_hours: 1 }],
  ['not-kept', { keep_history: false }],
])('omits prices of a store whose prices are %s', async (state, rule) => {
  const deal = await plantSealed();
  await database.db.updateTable('merchants').set(rule).execute();
  await database.db
    .updateTable('deals')
    .set({ price_checked_at: new Date(Date.now() - 7_200_000) })
    .execute();
  const evidence = await (await site.request(`/api/v1/deals/${deal}/evidence`)).json();
  expect(evidence).toMatchObject({ state, newest_price_at: null, entries: [], checkpoints: [] });
});

test('paginates the signed days', async () => {
  await plantDeal(database.db, [{ daysAgo: 0, price: 1_000 }]);
  await sealAfter(database.db, 150);
  const first = await (await site.request('/api/v1/evidence')).json();
  const next = await (await site.request(`/api/v1/evidence?from=${first.next_from}`)).json();
  expect([first.data.length, next.data.length, next.next_from]).toEqual([100, 50, null]);
  expect(first.data.at(-1).day < next.data[0].day).toBe(true);
});
