import { beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
const path = '/admin/developers/witnesses';
let staff: Awaited<ReturnType<typeof signedInVisitor>>;
beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'admin');
});

const add = { intent: 'add', role: 'witnessed', address: 'https://127.0.0.1/deals/?x=1' };
const sites = () =>
  database.db.selectFrom('evidence_sites').select(['id', 'role', 'address', 'is_active']).execute();

test('adds a witnessed site, fetches from it, removes it and adds it again', async () => {
  expect((await staff.send(path, add)).status).toBe(302);
  const [stored] = await sites();
  expect(stored).toMatchObject({ role: 'witnessed', address: 'https://127.0.0.1' });
  const { html } = await staff.open(path);
  expect(html).toContain('Site added.');
  expect(html).toContain(
    'It could not be read: 127.0.0.1 is not an address of the public internet',
  );
  await staff.send(path, { intent: 'fetch', id: String(stored?.id) });
  await staff.send(path, { intent: 'remove', id: String(stored?.id) });
  expect(await sites()).toMatchObject([{ is_active: false }]);
  expect((await staff.open(path)).html).toContain('Undo');
  await staff.send(path, add);
  expect(await sites()).toMatchObject([{ id: stored?.id, is_active: true }]);
  const acts = await database.db.selectFrom('audit_log').select('action').orderBy('id').execute();
  expect(acts.map(({ action }) => action)).toEqual([
    'evidence_site.add',
    'evidence_site.remove',
    'evidence_site.add',
  ]);
});

test('deletes a removed witness, and pins its key again when it is added again', async () => {
  await staff.send(path, { ...add, role: 'witness' });
  const [stored] = await sites();
  await staff.send(path, { intent: 'remove', id: String(stored?.id) });
  expect(await sites()).toEqual([]);
});

test.each([
  ['', 'Address is required'],
  ['ftp://deals.example', 'Must be a valid URL'],
  [testOrigin, 'This is the address of this site'],
])('refuses the address %j at its field', async (address, words) => {
  const { status, html } = await staff.send(path, { ...add, address });
  expect([status, html]).toEqual([422, expect.stringContaining(words)]);
  expect(await sites()).toEqual([]);
});
