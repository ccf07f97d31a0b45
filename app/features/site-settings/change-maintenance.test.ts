import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { changeMaintenance } from './change-maintenance.server.ts';
import { defaultMaintenance, type MaintenanceSettings } from './maintenance.ts';
import { readSiteSettings } from './site-settings-queries.server.ts';

const database = useTestDatabase();
const here = '192.0.2.1';
const on: MaintenanceSettings = { ...defaultMaintenance, enabled: true };
const gated: MaintenanceSettings = {
  ...defaultMaintenance,
  gate: { enabled: true, allowedIPs: ['198.51.100.0/24'], siteName: 'Elsewhere' },
};

function change(
  settings: MaintenanceSettings,
  confirmed = false,
  actorAddress: string | null = here,
) {
  return changeMaintenance(database.db, { settings, actor: 'u1', actorAddress, confirmed });
}
const stored = async () => (await readSiteSettings(database.db)).maintenance;

// Proves Back office 3: maintenance config (site-settings.ts)
// Proves Back office 9: Maintenance defaults (site-settings.ts)
test('P14: starts a new site open, with the specification’s texts', async () => {
  expect(await stored()).toEqual({
    enabled: false,
    allowedIPs: [],
    message: "Site is under maintenance. We'll be back soon!",
    showDebugInfo: false,
    gate: { enabled: false, allowedIPs: [], siteName: 'New Site' },
  });
});

test.each([
  ['maintenance mode', on],
  ['the gate', gated],
])(
  'asks for confirmation before the change "%s" that excludes the user’s own IP address',
  async (_name, settings) => {
    expect(await change(settings)).toEqual({ ok: false, reason: 'would-lock-out' });
    expect(await stored()).toEqual(defaultMaintenance);
    expect(await change(settings, true)).toEqual({ ok: true });
    expect(await stored()).toEqual(settings);
  },
);

test('asks for no confirmation from a user with an allowed address, or without an address', async () => {
  expect(await change({ ...on, allowedIPs: ['192.0.2.0/24'] })).toEqual({ ok: true });
  expect(await change(on, false, null)).toEqual({ ok: true });
});

test('P16: normalizes addresses and rejects invalid ones', async () => {
  await change({ ...defaultMaintenance, allowedIPs: ['10.1.2.3/8', '::ffff:10.0.0.0/104'] });
  expect((await stored()).allowedIPs).toEqual(['10.0.0.0/8']);
  await expect(change({ ...defaultMaintenance, allowedIPs: ['999.1.1.1'] })).rejects.toThrow(
    'no address',
  );
});

test('R42: logs who changed what in the maintenance settings', async () => {
  await change({ ...on, allowedIPs: [here] });
  const entries = await database.db.selectFrom('audit_log').selectAll().execute();
  expect(entries).toMatchObject([
    {
      actor: 'u1',
      action: 'settings.maintenance',
      before: { enabled: false, allowedIPs: [] },
      after: { enabled: true, allowedIPs: [here] },
    },
  ]);
});
