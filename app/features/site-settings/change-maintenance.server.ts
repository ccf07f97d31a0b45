import type { Db } from '#database/connect.ts';
import { addressRanges } from '#app/platform/address-ranges.ts';
import { changedFields, writeAudit } from '#app/platform/audit/audit.server.ts';
import type { MaintenanceSettings } from './maintenance.ts';
import {
  lockSettings,
  readSettingsVersion,
  readSiteSettings,
  writeSiteSetting,
} from './site-settings-queries.server.ts';

export type ChangeMaintenanceResult =
  | { ok: true }
  | { ok: false; reason: 'would-lock-out' }
  | { ok: false; reason: 'changed-meanwhile'; version: number; current: MaintenanceSettings };

/**
 * Sets the site's gate for every process at once. A change that would lock out the user's own IP
 * address needs a confirmation. The user's current session would keep access, but not their other
 * devices or their next visit. On the command line, `actorAddress` is `null` and `expectedVersion`
 * is absent.
 */
export async function changeMaintenance(
  db: Db,
  options: {
    settings: MaintenanceSettings;
    actor: string;
    actorAddress: string | null;
    confirmed?: boolean;
    /** The version of the settings shown in the form. */
    expectedVersion?: number;
  },
): Promise<ChangeMaintenanceResult> {
  const { settings, actor, actorAddress, confirmed = false, expectedVersion } = options;
  return db.transaction().execute(async (tx): Promise<ChangeMaintenanceResult> => {
    await lockSettings(tx);
    const { maintenance } = await readSiteSettings(tx);
    const version = await readSettingsVersion(tx, ['maintenance']);
    if (expectedVersion !== undefined && version !== expectedVersion) {
      return { ok: false, reason: 'changed-meanwhile', version, current: maintenance };
    }
    if (!confirmed && actorAddress !== null && locksOut(settings, actorAddress)) {
      return { ok: false, reason: 'would-lock-out' };
    }
    await writeSiteSetting(tx, 'maintenance', settings, actor);
    await writeAudit(tx, {
      actor,
      action: 'settings.maintenance',
      entity: 'site_settings',
      entityId: 'maintenance',
      ...changedFields(maintenance, settings),
    });
    return { ok: true };
  });
}

/**
 * Opens the site by turning off maintenance mode and the access gate. Keeps their lists and texts.
 */
export async function openSite(db: Db, actor: string): Promise<void> {
  const { maintenance } = await readSiteSettings(db);
  const gate = { ...maintenance.gate, enabled: false };
  const settings = { ...maintenance, enabled: false, gate };
  await changeMaintenance(db, { settings, actor, actorAddress: null });
}

/** Returns whether this address would be locked out. */
export function locksOut({ enabled, allowedIPs, gate }: MaintenanceSettings, address: string) {
  const isOutside = (list: string[]) => !addressRanges(list)(address);
  return (enabled && isOutside(allowedIPs)) || (gate.enabled && isOutside(gate.allowedIPs));
}
