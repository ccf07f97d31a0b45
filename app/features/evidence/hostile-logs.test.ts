import { generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertUser } from '#test/factories/insert.ts';
import { serveJson, servicesAt } from '#test/serve-site.ts';
import { testSite } from '#test/site.ts';
import { acceptNewDays, addEvidenceSite } from './change-evidence-sites.server.ts';
import { noPrevious, writeCheckpoint } from './checkpoint.ts';
import { openEvidenceKey } from './evidence-key.server.ts';
import { listConflicts, listEvidenceSites } from './evidence-site-queries.server.ts';
import { hashHex } from './merkle-tree.server.ts';
import { type KeyChange, leadsTo, readKeyChanges, writeKeyChange } from './signed-statements.ts';
import type { SignedCheckpoint } from './verify-evidence.ts';
import { witnessSites } from './witness-sites-job.server.ts';

const database = useTestDatabase();
const { signal } = new AbortController();

function makeSigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
  return { key, sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('hex') };
}
type Signer = ReturnType<typeof makeSigner>;

/**
 * Signs consecutive days from 2026-01-01 onward, one per signer. `sealedAt` distinguishes versions.
 */
function makeLog(signers: readonly Signer[], sealedAt = 'then'): SignedCheckpoint[] {
  let previous = noPrevious;
  return signers.map(({ key, sign: signText }, index) => {
    const day = `2026-01-${String(index + 1).padStart(2, '0')}`;
    const numbers = { prices: 0, lastPrice: 0, voids: 0, lastVoid: 0 };
    const hashes = { root: noPrevious, facts: noPrevious };
    const text = writeCheckpoint({ day, ...numbers, ...hashes, previous, sealedAt, key });
    previous = hashHex(text);
    return { day, text, signature: signText(text) };
  });
}

/** The days that the witnessed site returns. */
let days: SignedCheckpoint[] = [];
/** Additional fields of its response. */
let more: object = {};
let onRequest: () => Promise<void> = async () => {};
let site: Awaited<ReturnType<typeof serveJson>>;
beforeEach(async () => {
  more = {};
  onRequest = async () => {};
  site = await serveJson(async (path) => {
    await onRequest();
    const from = new URL(path, 'http://x').searchParams.get('from') ?? '';
    const data = days.filter(({ day }) => day >= from);
    const page = { data, key_changes: [], next_from: null, ...more };
    return { status: 200, body: JSON.stringify(page) };
  });
  await addEvidenceSite(database.db, { actor: 'cli', role: 'witnessed', address: site.origin });
  await insertUser(database.db, { role: 'admin', email_verified: true });
});
afterEach(async () => site.stop());

const visit = (daysAhead: number) =>
  witnessSites(servicesAt(database, 'http://localhost', daysAhead), signal);
const stateOf = async () => {
  const found = (await listEvidenceSites(database.db)).find(({ role }) => role === 'witnessed');
  if (!found) throw new Error('The site is not named.');
  return found;
};
const accept = async () => {
  const { id } = await stateOf();
  await acceptNewDays(database.db, { actor: 'cli', id, now: new Date() });
};

test('reports no conflict with days that staff replaced during the visit', async () => {
  const signer = makeSigner();
  days = makeLog([signer, signer]);
  await visit(0);
  days = makeLog([signer, signer], 'later');
  await visit(1);
  onRequest = async () => {
    onRequest = async () => {};
    await accept();
  };
  await visit(2);
  const { id } = await stateOf();
  expect(await listConflicts(database.db, id, 10)).toHaveLength(1);
});

test('stores both versions of a day that was rewritten after a gap', async () => {
  const signer = makeSigner();
  const first = makeLog([signer, signer, signer]);
  days = first;
  await visit(0);
  days = first.slice(0, 1);
  await visit(1);
  expect((await stateOf()).conflictDay).toBe('2026-01-02');
  const rewritten = makeLog([signer, signer, signer], 'later')[2];
  days = [...first.slice(0, 2), ...(rewritten ? [rewritten] : [])];
  await visit(2);
  const { id, conflictDay } = await stateOf();
  expect(conflictDay).toBe('2026-01-03');
  expect(await listConflicts(database.db, id, 10)).toMatchObject([
    { kept: { text: first[2]?.text }, found: { text: rewritten?.text } },
  ]);
});

test('does not report a day with a new key as rewritten, and continues once staff accept two new keys', async () => {
  const [one, two, three] = [makeSigner(), makeSigner(), makeSigner()];
  days = makeLog([one]);
  await visit(0);
  days = makeLog([one, two, three]);
  for (const ahead of [1, 2]) {
    await visit(ahead);
    expect((await stateOf()).conflictDay).toBe(`2026-01-0${ahead + 1}`);
    expect((await testSite(database).page('/evidence')).html).toContain(
      `From 2026-01-0${ahead + 1} on, its days do not continue those that we keep.`,
    );
    await accept();
  }
  await visit(3);
  expect(await stateOf()).toMatchObject({
    conflictDay: null,
    problem: null,
    through: '2026-01-03',
  });
});

test('rejects text that the database cannot store', async () => {
  const signer = makeSigner();
  days = makeLog([signer, signer]);
  await visit(0);
  expect((await stateOf()).through).toBe('2026-01-02');
  days = makeLog([signer, signer], '\u0000');
  await visit(1);
  expect((await stateOf()).problem).toContain('did not return a list of signed days');
});

test('visits the other sites even after an error at one', async () => {
  days = makeLog([makeSigner()]);
  const broken = { role: 'witness', address: 'no address' } as const;
  await database.db.insertInto('evidence_sites').values(broken).execute();
  await expect(visit(0)).rejects.toThrow('Sites could not be visited.');
  expect((await stateOf()).through).toBe('2026-01-01');
});

test('rejects countersignatures by the site’s own key from another address', async () => {
  days = [];
  more = { key: (await openEvidenceKey(database.db)).publicKey, conflicts: [] };
  await addEvidenceSite(database.db, { actor: 'cli', role: 'witness', address: site.origin });
  await visit(0);
  const witness = (await listEvidenceSites(database.db)).find(({ role }) => role === 'witness');
  expect(witness).toMatchObject({ key: null, problem: expect.stringContaining('with our key') });
});

test('verifies each key change once, and stops at a cycle', async () => {
  const [one, two] = [makeSigner(), makeSigner()];
  const change = (from: Signer, to: Signer, at: number): KeyChange => {
    const text = writeKeyChange(from.key, to.key, new Date(at));
    return { text, old_signature: from.sign(text), new_signature: to.sign(text) };
  };
  const forged = Array.from({ length: 20 }, (_, at) => ({
    ...change(one, two, at),
    new_signature: '0'.repeat(128),
  }));
  const verify = vi.spyOn(crypto.subtle, 'verify');
  const nextKeys = await readKeyChanges([
    ...forged,
    change(one, two, 30),
    change(two, one, 31),
    change(one, makeSigner(), 32),
  ]);
  expect(verify.mock.calls.length).toBe(44);
  expect(leadsTo(one.key, two.key, nextKeys)).toBe(true);
  expect(leadsTo(two.key, one.key, nextKeys)).toBe(true);
  expect(leadsTo(one.key, makeSigner().key, nextKeys)).toBe(false);
  verify.mockRestore();
});
