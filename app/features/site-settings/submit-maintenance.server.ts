import type { Db } from '#database/connect.ts';
import { changeMaintenance } from './change-maintenance.server.ts';
import { maintenanceInput } from './maintenance.ts';
import { maintenanceMessages as words } from './maintenance-messages.ts';
import { maintenanceTexts } from './maintenance-texts.ts';
import { settingsMessages } from './settings-messages.ts';

export type MaintenanceOutcome = { ok: true; message: string } | MaintenanceRefusal;

export interface MaintenanceRefusal {
  ok: false;
  /**
   * The response status: 422 for invalid fields, 409 if a confirmation is needed or another save
   * conflicts.
   */
  status: 422 | 409;
  errors?: Record<string, string>;
  message?: string;
  /** Whether the change would lock out the user, so that the form asks for confirmation. */
  mustConfirm?: boolean;
  conflict?: { version: number; current: Record<string, string> };
  /** The submitted values. An unchecked box is absent. */
  values: Record<string, string>;
}

/** Handles the maintenance form. `actorAddress` is the sender's address. */
export async function submitMaintenance(
  db: Db,
  { form, actor, actorAddress }: { form: FormData; actor: string; actorAddress: string },
): Promise<MaintenanceOutcome> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) if (typeof value === 'string') values[name] = value;
  const parsed = maintenanceInput.safeParse({
    enabled: form.has('enabled'),
    allowedIPs: linesOf(values.allowedIPs),
    message: values.message,
    showDebugInfo: form.has('showDebugInfo'),
    gate: {
      enabled: form.has('gateEnabled'),
      allowedIPs: linesOf(values.gateAllowedIPs),
      siteName: values.gateSiteName,
    },
  });
  const mustConfirm = form.has('confirmed');
  if (!parsed.success) {
    const errors: Record<string, string> = {};
    const invalidAddress = words.invalidAddress(actorAddress || '192.0.2.1');
    for (const { path } of parsed.error.issues) {
      const [first, second] = path;
      if (first === 'allowedIPs') errors.allowedIPs = invalidAddress;
      else if (first === 'message') errors.message = words.invalidMessage;
      else if (second === 'allowedIPs') errors.gateAllowedIPs = invalidAddress;
      else errors.gateSiteName = words.invalidName;
    }
    return { ok: false, status: 422, errors, mustConfirm, values };
  }
  const result = await changeMaintenance(db, {
    settings: parsed.data,
    actor,
    actorAddress,
    confirmed: mustConfirm,
    expectedVersion: Number(values.version),
  });
  if (result.ok) return { ok: true, message: words.saved };
  if (result.reason === 'changed-meanwhile') {
    const { version, current } = result;
    const message = settingsMessages.changedMeanwhile;
    const conflict = { version, current: maintenanceTexts(current) };
    return { ok: false, status: 409, message, mustConfirm, conflict, values };
  }
  const message = words.wouldLockOut(actorAddress);
  return { ok: false, status: 409, message, mustConfirm: true, values };
}

function linesOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
