import { data, redirect } from 'react-router';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { describeChange } from '#app/features/deals/deal-messages.ts';
import {
  purgeTrash,
  restoreDeletion,
  restoreFromTrash,
} from '#app/features/desk/restore-from-trash.server.ts';
import { kindsFor } from '#app/features/desk/trash-kinds.ts';
import { describeRestore, trashMessages } from '#app/features/desk/trash-messages.ts';
import { listTrashIds } from '#app/features/desk/trash-queries.server.ts';
import { trashTable } from '#app/features/desk/trash-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { listAddress, redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import type { Context } from '../frame/read-or-fail.server.ts';
import { mostTicked, readSelection } from '../frame/read-selection.ts';

/** Restores entries of the trash, or deletes them for good. */
export async function actOnTrash(request: Request, context: Context, user: SessionUser) {
  const { db } = appServices(context);
  const here = listAddress(request);
  const act = { actor: user.id, kinds: kindsFor(user.rights) };
  const form = await readFormBody(request);
  const isBulk = readText(form, 'intent') === 'bulk';
  const verb = readText(form, isBulk ? 'verb' : 'intent');
  const chosen = isBulk ? readSelection(form) : { ids: [parseRowId(readText(form, 'id')) ?? 0] };
  if (!chosen) return data(null, { status: 400 });
  const query = parseTableQuery(trashTable, new URL(request.url).searchParams);
  const ids = 'ids' in chosen ? chosen.ids : await listTrashIds(db, query, act.kinds);
  const refuse = (text: string) => redirectWithError(context, here, text);
  if ('expectedCount' in chosen && chosen.expectedCount !== ids.length) {
    return refuse(trashMessages.countChanged(chosen.expectedCount, ids.length));
  }
  if (ids.length === 0) return refuse(trashMessages.nothingSelected);
  switch (verb) {
    case 'restore': {
      if (ids.length > mostTicked) return refuse(trashMessages.tooMany(mostTicked));
      const outcome = await restoreFromTrash(db, ids, act);
      if (outcome.restored.length + outcome.failures.length === 0)
        return refuse(trashMessages.gone);
      const kind = outcome.restored.length === 0 ? 'error' : 'info';
      return redirectWithFlash(context, here, describeRestore(outcome), { kind });
    }
    case 'restore-deletion': {
      const result = await restoreDeletion(db, ids[0] ?? 0, act);
      if (!result.ok) return refuse(trashMessages.gone);
      if (result.state === 'queued') return redirect(`/admin/deals/changes/${result.id}`);
      if (result.report !== null) return redirect(`/admin/deals/changes/${result.report}`);
      const { asked, changed, failures } = result;
      const words = describeChange('restore', { asked, changed, failed: failures.length });
      return redirectWithFlash(context, here, words);
    }
    case 'purge': {
      const purged = await purgeTrash(db, ids, act);
      if (purged === 0) return refuse(trashMessages.gone);
      return redirectWithFlash(context, here, trashMessages.purged(purged));
    }
    default:
      return data(null, { status: 400 });
  }
}
