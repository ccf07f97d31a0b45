import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { defaultMaintenance } from './maintenance.ts';
import { readSiteSettings } from './site-settings-queries.server.ts';
import { submitMaintenance } from './submit-maintenance.server.ts';

const database = useTestDatabase();
const filled = { message: 'Back at noon', gateSiteName: 'Elsewhere', version: '0' };

function submit(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...filled, ...fields })) form.set(name, value);
  return submitMaintenance(database.db, { form, actor: 'u1', actorAddress: '192.0.2.1' });
}
const stored = async () => (await readSiteSettings(database.db)).maintenance;

// Proves Back office 5: Maintenance: address entry (section-form.tsx)
test('back office 5: rejects an invalid allowed address at its field and keeps the input', async () => {
  const outcome = await submit({ allowedIPs: '192.0.2.1\n300.1.1.1' });
  expect(outcome).toMatchObject({
    ok: false,
    status: 422,
    errors: { allowedIPs: 'Please enter a valid IP address (e.g., 192.0.2.1)' },
    values: { allowedIPs: '192.0.2.1\n300.1.1.1' },
  });
  expect(await submit({ message: ' ', gateSiteName: '', gateAllowedIPs: 'x' })).toMatchObject({
    errors: {
      message: expect.any(String),
      gateSiteName: expect.any(String),
      gateAllowedIPs: expect.any(String),
    },
  });
  expect(await stored()).toEqual(defaultMaintenance);
});

// Proves Back office 5: Maintenance: address entry, duplicates ignored (section-form.tsx)
test('back office 5: counts a repeated allowed address once', async () => {
  expect(await submit({ enabled: 'on', allowedIPs: '192.0.2.1, 192.0.2.1' })).toMatchObject({
    ok: true,
  });
  expect(await stored()).toMatchObject({
    enabled: true,
    allowedIPs: ['192.0.2.1'],
    message: 'Back at noon',
  });
});

// Proves R64: rules that would shut out whoever turns them on
test('requires a confirmation before a user excludes their own IP address', async () => {
  const refused = await submit({ enabled: 'on' });
  expect(refused).toMatchObject({ ok: false, status: 409 });
  expect(refused).toMatchObject({ mustConfirm: true, values: { enabled: 'on' } });
  expect((await stored()).enabled).toBe(false);
  expect(await submit({ enabled: 'on', confirmed: 'on' })).toMatchObject({ ok: true });
  expect((await stored()).enabled).toBe(true);
});

// Proves R47: settings saved by two (change-settings.server.ts)
test('R47: loses neither version when two users save the gate’s settings, and shows both to the second', async () => {
  expect(await submit({ allowedIPs: '198.51.100.7' })).toMatchObject({ ok: true });
  const late = await submit({ message: 'Back tomorrow', gateSiteName: 'Nowhere' });
  expect(late).toMatchObject({
    ok: false,
    status: 409,
    message: 'Someone else saved these settings in the meantime.',
    values: { message: 'Back tomorrow', gateSiteName: 'Nowhere' },
    conflict: {
      current: { message: 'Back at noon', allowedIPs: '198.51.100.7', gateSiteName: 'Elsewhere' },
    },
  });
  expect((await stored()).message).toBe('Back at noon');
  if (late.ok || !late.conflict) throw new Error('no conflict');
  const version = String(late.conflict.version);
  expect(await submit({ message: 'Back tomorrow', version })).toMatchObject({ ok: true });
  expect((await stored()).message).toBe('Back tomorrow');
});

test('R47: asks one of two parallel saves for confirmation again', async () => {
  const { saves } = await database.db.transaction().execute(async (tx) => {
    // Both requests have read the stored values, or wait to read them, before either may write.
    await sql`lock table site_settings in share row exclusive mode`.execute(tx);
    const both = Promise.all([submit({ message: 'One' }), submit({ message: 'Two' })]);
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select 1 from pg_locks l join pg_database d on d.oid = l.database
           where d.datname = current_database() and not l.granted`.execute(tx);
        return rows.length;
      })
      .toBe(2);
    return { saves: both };
  });
  const outcomes = await saves;
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(outcomes.filter(({ ok }) => !ok)).toMatchObject([{ status: 409 }]);
});
