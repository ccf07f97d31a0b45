import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase, useTestDatabase } from '#test/database.ts';
import { insertUser } from '#test/factories/insert.ts';
import { sealAfter, tamper } from '#test/factories/plant-evidence.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { serveJson, serveSite, servicesAt } from '#test/serve-site.ts';
import { testSite } from '#test/site.ts';
import { acceptNewDays, addEvidenceSite } from './change-evidence-sites.server.ts';
import { changeEvidenceKey } from './evidence-key.server.ts';
import { readDealEvidence } from './evidence-queries.server.ts';
import { listEvidenceSites } from './evidence-site-queries.server.ts';
import { verifyEvidence } from './verify-evidence.ts';
import { verifyLog } from './verify-log.server.ts';
import { witnessSites } from './witness-sites-job.server.ts';

/** The shop, whose log is witnessed. */
const shop = useTestDatabase();
const shopSite = testSite(shop);
let witness: TestDatabase;
let shopAt: Awaited<ReturnType<typeof serveSite>>;
let witnessAt: Awaited<ReturnType<typeof serveSite>>;
const { signal } = new AbortController();

beforeAll(async () => {
  witness = await createTestDatabase();
  [shopAt, witnessAt] = [await serveSite(shop), await serveSite(witness)];
});
beforeEach(() => witness.reset());
afterAll(async () => {
  await Promise.all([shopAt.stop(), witnessAt.stop()]);
  await witness.close();
});

/** Runs the nightly job of both sites twice. */
async function night(days: number): Promise<void> {
  for (const [database, { origin }] of [
    [witness, witnessAt],
    [shop, shopAt],
    [witness, witnessAt],
    [shop, shopAt],
  ] as const)
    await witnessSites(servicesAt(database, origin, days), signal);
}

/** Seals four days of the shop's log and introduces both sites. Returns the deal and the days. */
async function plantWitnessed() {
  const deal = await plantDeal(shop.db, [
    { daysAgo: 4, price: 1_000 },
    { daysAgo: 3, price: 900 },
    { daysAgo: 2, price: 800 },
    { daysAgo: 1, price: 850 },
  ]);
  await sealAfter(shop.db, 0);
  const add = { actor: 'cli' };
  await addEvidenceSite(shop.db, { ...add, role: 'witness', address: witnessAt.origin });
  await addEvidenceSite(witness.db, { ...add, role: 'witnessed', address: shopAt.origin });
  const { rows } = await shop.pool.query('select day from evidence_days order by day');
  return { deal, days: rows.map(({ day }) => day) };
}

const stateOf = async ({ db }: TestDatabase) => (await listEvidenceSites(db))[0];
const countOf = async ({ pool }: TestDatabase, table: string) =>
  Number((await pool.query(`select count(*) from ${table}`)).rows[0].count);

/** Re-signs the shop's days from this one onward, as an owner or a restored backup would. */
async function rewriteFrom(day: string, daysAhead: number): Promise<void> {
  await tamper(shop.db, `delete from evidence_days where day >= '${day}'`);
  await sealAfter(shop.db, daysAhead);
}

test('countersigns each day once, and proves it to every verifier', async () => {
  const { deal, days } = await plantWitnessed();
  await night(0);
  expect(await countOf(shop, 'cosignatures')).toBe(4);
  expect(await stateOf(shop)).toMatchObject({ through: days[3], problem: null });
  await night(0);
  await sealAfter(shop.db, 1);
  await night(1);
  expect(await countOf(shop, 'cosignatures')).toBe(5);
  expect(await countOf(witness, 'witnessed_days')).toBe(5);

  const evidence = await readDealEvidence(shop.db, deal);
  const newest = evidence.checkpoints.at(-1)?.day;
  expect(await verifyEvidence(evidence)).toMatchObject({
    problems: [],
    witnesses: { [witnessAt.origin]: newest },
  });
  expect(await verifyLog(shop.db)).toMatchObject({
    problems: [],
    notes: [`${witnessAt.origin} countersigned through ${newest}.`],
  });
  const { data } = await (await shopSite.request('/api/v1/evidence')).json();
  expect(data[0].cosignatures).toMatchObject([{ witness: witnessAt.origin }]);
  expect((await shopSite.page('/evidence')).html).toContain(`countersigned through ${newest}`);

  await tamper(shop.db, `update evidence_days set root = sha256('x') where day = '${days[2]}'`);
  const changed = await verifyEvidence(await readDealEvidence(shop.db, deal));
  expect(changed.problems).toContain(`The checkpoint of ${days[2]} has no valid signature.`);
  expect((await verifyLog(shop.db)).problems).toContain(
    `${days[2]}: ${witnessAt.origin} countersigned another version.`,
  );
});

test('stores a rewritten day, publishes both versions, and emails administrators once', async () => {
  const { days } = await plantWitnessed();
  await insertUser(witness.db, { role: 'admin', email_verified: true });
  await night(0);
  await rewriteFrom(days[2], 1);
  await night(1);
  await night(2);
  expect(await countOf(witness, 'witnessed_days')).toBe(4);
  expect(await countOf(witness, 'witness_conflicts')).toBe(1);
  expect(await countOf(witness, 'mail_outbox')).toBe(1);
  expect(await stateOf(witness)).toMatchObject({
    conflictDay: days[2],
    problem: expect.stringContaining(`${days[2]}: the site has rewritten this day.`),
  });
  expect((await stateOf(shop))?.problem).toBe(`It reports that we rewrote ${days[2]}.`);
  const path = `/api/v1/evidence/witnessed?site=${shopAt.origin}`;
  const { conflicts } = await (await fetch(new URL(path, witnessAt.origin))).json();
  expect(conflicts).toMatchObject([{ day: days[2], settled_at: null }]);
  expect(conflicts[0].kept.text).not.toBe(conflicts[0].found.text);

  const id = (await stateOf(witness))?.id ?? 0;
  await acceptNewDays(witness.db, { actor: 'cli', id, now: new Date() });
  await night(3);
  expect(await stateOf(witness)).toMatchObject({ conflictDay: null, problem: null });
  expect(await countOf(witness, 'witnessed_days')).toBe(5);
});

test('settles the conflict when a missing day is back unchanged', async () => {
  const { days } = await plantWitnessed();
  await night(0);
  await tamper(
    shop.db,
    `create table gone as select * from evidence_days where day = '${days[3]}'`,
  );
  await tamper(shop.db, `delete from evidence_days where day = '${days[3]}'`);
  await night(1);
  expect((await stateOf(witness))?.problem).toContain('no longer has this day');
  await tamper(shop.db, 'insert into evidence_days select * from gone');
  await tamper(shop.db, 'drop table gone');
  await night(2);
  expect(await stateOf(witness)).toMatchObject({ conflictDay: null, problem: null });
});

test('reports a restored backup to both sites', async () => {
  const { days } = await plantWitnessed();
  await night(0);
  await tamper(shop.db, `delete from evidence_days where day > '${days[1]}'`);
  await shop.pool.query(`delete from cosignatures where day > '${days[1]}'`);
  await sealAfter(shop.db, 1);
  await night(1);
  expect((await stateOf(shop))?.problem).toContain(`Its version of ${days[2]} differs from ours.`);
  expect((await stateOf(witness))?.conflictDay).toBe(days[2]);
});

test('shows which witness is behind', async () => {
  await plantWitnessed();
  await night(0);
  await sealAfter(shop.db, 4);
  expect((await shopSite.page('/evidence')).html).toContain('and it is behind');
});

test('accepts a key change only if the old key signed it', async () => {
  const { deal } = await plantWitnessed();
  await night(0);
  const keys = { actor: 'cli', now: new Date() };
  await changeEvidenceKey(shop.db, keys);
  await changeEvidenceKey(shop.db, keys);
  await changeEvidenceKey(witness.db, keys);
  await sealAfter(shop.db, 1);
  await night(1);
  expect(await stateOf(witness)).toMatchObject({ problem: null });
  expect(await stateOf(shop)).toMatchObject({ problem: null });
  expect(await countOf(shop, 'cosignatures')).toBe(5);
  const evidence = await readDealEvidence(shop.db, deal);
  expect(await verifyEvidence(evidence)).toMatchObject({ problems: [] });
  expect(await verifyLog(shop.db)).toMatchObject({
    problems: [],
    notes: [expect.stringMatching(/: signed with a new key\.$/), expect.anything()],
  });

  await shop.pool.query(`delete from site_secrets where name = 'evidence key'`);
  await witness.pool.query(`delete from site_secrets where name = 'evidence key'`);
  await plantDeal(shop.db, [{ daysAgo: 0, price: 700 }]);
  await sealAfter(shop.db, 2);
  await night(2);
  expect((await stateOf(witness))?.problem).toContain('the old key did not sign the change');
  expect((await stateOf(shop))?.problem).toBe(
    'Its key changed, and the old key did not sign the change.',
  );
  expect((await verifyLog(shop.db)).problems).toEqual([
    expect.stringContaining('signed with a new key, and the old key did not sign the change.'),
  ]);
  const id = (await stateOf(witness))?.id ?? 0;
  await acceptNewDays(witness.db, { actor: 'cli', id, now: new Date() });
  await night(3);
  expect(await stateOf(witness)).toMatchObject({ conflictDay: null, problem: null });
});

interface Page {
  data: object[];
}

/** Makes a site with this response the only witness. Returns its state as stored by the shop. */
async function askHostile(
  change: (page: Page) => unknown,
  role: 'witness' | 'witnessed' = 'witness',
) {
  await plantWitnessed();
  await night(0);
  const real = role === 'witness' ? witnessAt : shopAt;
  let asked = 0;
  let page: Page | undefined;
  const hostile = await serveJson(async (path) => {
    asked++;
    page ??= await (await fetch(new URL(path, real.origin))).json();
    return { status: 200, body: JSON.stringify(page && change(page)) };
  });
  await shop.pool.query('delete from evidence_sites');
  await addEvidenceSite(shop.db, { actor: 'cli', role, address: hostile.origin });
  await witnessSites(servicesAt(shop, shopAt.origin), signal);
  await hostile.stop();
  return { problem: (await stateOf(shop))?.problem ?? '', asked };
}

const mapDays = (page: Page, change: object) => ({
  ...page,
  data: page.data.map((day) => ({ ...day, ...change })),
});

test.each([
  ['another key', { key: 'a'.repeat(64) }, /Its countersignature of \S+ is wrong\./],
  ['a wrong signature', { cosignature: 'a'.repeat(128) }, /Its countersignature of \S+ is wrong\./],
  ['another time', { time: 1 }, /Its countersignature of \S+ is wrong\./],
  ['another text', { text: 'x' }, /Its version of \S+ differs from ours\./],
  ['a broken day', { day: 'x' }, /did not return a list of signed days/],
])('stores nothing from a witness with %s', async (_, change, words) => {
  const { problem } = await askHostile((page) => mapDays(page, change));
  expect(problem).toMatch(words);
  expect(await countOf(shop, 'cosignatures')).toBe(0);
});

test.each(['witness', 'witnessed'] as const)(
  'stops reading endless pages and a huge response body from a %s',
  async (role) => {
    const back = (page: Page) => ({ ...page, next_from: '2000-01-01' });
    expect(await askHostile(back, role)).toEqual({
      problem: expect.stringContaining('out of order'),
      asked: 1,
    });
    await shop.reset();
    await witness.reset();
    let day = Date.parse('2001-01-01');
    const forth = (page: Page) => ({
      ...page,
      data: [],
      next_from: new Date((day += 86_400_000)).toISOString().slice(0, 10),
    });
    expect(await askHostile(forth, role)).toEqual({
      problem: expect.stringContaining('too many days'),
      asked: 201,
    });
    await shop.reset();
    await witness.reset();
    const huge = (page: Page) => ({ ...page, more: 'x'.repeat(2 ** 21) });
    expect((await askHostile(huge, role)).problem).toContain('larger than 1 MB');
  },
);

test('continues after a fetch was interrupted between pages', async () => {
  await plantDeal(shop.db, [{ daysAgo: 0, price: 1_000 }]);
  await sealAfter(shop.db, 150);
  const add = { actor: 'cli', address: shopAt.origin };
  await addEvidenceSite(witness.db, { ...add, role: 'witnessed' });
  await night(150);
  expect(await countOf(witness, 'witnessed_days')).toBe(150);
  let pages = 0;
  const flaky = await serveJson(async (path) => {
    const response = await fetch(new URL(path, witnessAt.origin));
    return { status: ++pages === 2 ? 500 : response.status, body: await response.text() };
  });
  await addEvidenceSite(shop.db, { actor: 'cli', role: 'witness', address: flaky.origin });
  const run = () => witnessSites(servicesAt(shop, shopAt.origin, 150), signal);
  await run();
  expect(await countOf(shop, 'cosignatures')).toBe(100);
  expect((await stateOf(shop))?.problem).toContain('status 500');
  await run();
  await flaky.stop();
  expect(await countOf(shop, 'cosignatures')).toBe(150);
  expect(await stateOf(shop)).toMatchObject({ problem: null });
});

test('fetches from a private host only if the owner allows it', async () => {
  await addEvidenceSite(shop.db, { actor: 'cli', role: 'witness', address: witnessAt.origin });
  const services = servicesAt(shop, shopAt.origin);
  const env = { ...services.env, feedPrivateHosts: [] };
  await sealAfter(shop.db, 0);
  await plantDeal(shop.db, [{ daysAgo: 1, price: 1_000 }]);
  await sealAfter(shop.db, 0);
  await witnessSites({ ...services, env }, signal);
  expect((await stateOf(shop))?.problem).toMatch(/not allowed|not an address of the public/);
});
