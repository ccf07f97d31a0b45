import { data, redirect } from 'react-router';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import type { AlertOwner } from '#app/features/price-alerts/alert-owner.server.ts';
import { deleteAlert, updateAlert } from '#app/features/price-alerts/update-alert.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { overList } from './alert-notices.ts';

export const refuseAct = (error: string, status: number, headers = {}) =>
  data({ error }, { status, headers });

/**
 * Changes an alert. `intent` is `update` or `delete`. `id` is one of the owner's own alerts; any
 * other one is treated as missing.
 */
export async function changeAlert(
  { db, form, rowId, intent }: Post,
  owner: AlertOwner,
  listPath: string,
) {
  const id = rowId('id') ?? 0;
  if (intent === 'delete') {
    if (!(await deleteAlert(db, owner, id))) return refuseAct(alertMessages.gone, 404);
    throw redirect(overList(listPath, 'deleted'), 303);
  }
  if (intent !== 'update') return refuseAct(alertMessages.gone, 422);
  const { currency } = await readSiteSettings(db);
  const outcome = await updateAlert(db, owner, id, form, currency);
  if (!outcome.ok) return refuseAct(alertMessages.updateFailed(outcome.message), outcome.status);
  throw redirect(overList(listPath, outcome.hasFired ? 'fired' : 'saved'), 303);
}
