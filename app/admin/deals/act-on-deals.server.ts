import { data, redirect } from 'react-router';
import { bulkVerbs } from '#database/schema/catalog-tables.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import {
  changeDeals,
  type ChangeDealsResult,
  undoDeletion,
} from '#app/features/deals/change-deals.server.ts';
import { dealMessages, describeChange } from '#app/features/deals/deal-messages.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { duplicateDeal } from '#app/features/deals/manage-deal.server.ts';
import { trustLink } from '#app/features/deals/trust-link.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { listAddress, redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import type { Context } from '../frame/read-or-say.server.ts';
import { readSelection } from '../frame/read-selection.ts';

type Verb = Exclude<(typeof bulkVerbs)[number], 'restore'>;

/** Who acts, and the list they see. */
interface Act {
  context: Context;
  actor: string;
  here: string;
}

/** Every act of the list: on one deal, on the ticked ones, on all that match. */
export async function actOnDeals(request: Request, context: Context) {
  const act = { context, actor: requireUser(context).id, here: listAddress(request) };
  const form = await readFormBody(request);
  const intent = readText(form, 'intent');
  if (intent === 'undo') return undo(act, readText(form, 'batch'));
  if (intent === 'bulk') return changeMany(act, form, new URL(request.url).searchParams);
  const id = parseRowId(readText(form, 'id'));
  if (id === null) return data(null, { status: 400 });
  if (intent === 'duplicate') return duplicate(act, id, request.url);
  if (intent === 'trust-link' || intent === 'doubt-link') {
    return judgeLink(act, id, intent === 'trust-link');
  }
  const verb = verbOf(intent);
  if (!verb || verb === 'category') return data(null, { status: 400 });
  return changeOne(act, verb, id);
}

async function changeOne(act: Act, verb: Verb, id: number) {
  const { context, actor, here } = act;
  const { db, log } = appServices(context);
  const failure = verb === 'delete' ? dealMessages.deleteFailed : dealMessages.gone;
  try {
    const result = await changeDeals(db, { actor, verb, categoryId: null }, { ids: [id] });
    if (!result.ok || result.state !== 'done' || result.failures.length > 0) {
      return redirectWithError(context, here, failure);
    }
    if (verb !== 'delete') return say(act, verb, result);
    const undoing = undoOf(result.batch, here);
    return redirectWithFlash(context, here, dealMessages.deleted, { undo: undoing });
  } catch (error) {
    if (verb !== 'delete') throw error;
    log.error({ err: error, deal: id }, 'a deal could not be deleted');
    return redirectWithError(context, here, failure);
  }
}

async function changeMany(act: Act, form: FormData, list: URLSearchParams) {
  const { context, actor, here } = act;
  const verb = verbOf(readText(form, 'verb'));
  const chosen = readSelection(form);
  if (!verb || !chosen) return data(null, { status: 400 });
  const choice =
    'ids' in chosen ? chosen : { ...chosen, filter: parseTableQuery(dealsTable, list) };
  const categoryId = verb === 'category' ? parseRowId(readText(form, 'category')) : null;
  if (verb === 'category' && categoryId === null) {
    return redirectWithError(context, here, dealMessages.noTargetCategory);
  }
  const change = { actor, verb, categoryId };
  return say(act, verb, await changeDeals(appServices(context).db, change, choice));
}

/** What became of a change of many, in words; where there is more to read, on a page of its own. */
function say({ context, here }: Act, verb: Verb | 'restore', result: ChangeDealsResult) {
  if (!result.ok) return redirectWithError(context, here, refusalOf(verb, result));
  if (result.state === 'queued') return redirect(`/admin/deals/changes/${result.id}`);
  if (result.report !== null) return redirect(`/admin/deals/changes/${result.report}`);
  const { asked, changed, failures, batch } = result;
  const words = describeChange(verb, { asked, changed, failed: failures.length });
  const canUndo = verb === 'delete' && changed > 0;
  return redirectWithFlash(context, here, words, canUndo ? { undo: undoOf(batch, here) } : {});
}

function refusalOf(
  verb: Verb | 'restore',
  result: Extract<ChangeDealsResult, { ok: false }>,
): string {
  if (result.reason === 'count-changed') {
    return dealMessages.countChanged(result.seen, result.count);
  }
  if (result.reason === 'no-such-category') return dealMessages.noTargetCategory;
  return verb === 'restore' ? dealMessages.tooLate : dealMessages.nothingSelected;
}

async function undo(act: Act, batch: string) {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(batch)) return data(null, { status: 400 });
  const { actor, context } = act;
  return say(act, 'restore', await undoDeletion(appServices(context).db, { actor, batch }));
}

async function duplicate({ context, actor, here }: Act, id: number, url: string) {
  const copy = await duplicateDeal(appServices(context).db, actor, id);
  if (!copy) return redirectWithError(context, here, dealMessages.gone);
  const { search } = new URL(here, url);
  return redirectWithFlash(context, `/admin/deals/${copy.id}/edit${search}`, dealMessages.copied);
}

/** A link that is called broken and is not, and back. */
async function judgeLink({ context, actor, here }: Act, id: number, isTrusted: boolean) {
  const isDone = await trustLink(appServices(context).db, { actor, id, isTrusted });
  if (!isDone) return redirectWithError(context, here, dealMessages.linkUnknown);
  if (!isTrusted) return redirectWithFlash(context, here, dealMessages.linkDoubted);
  const fields = { intent: 'doubt-link', id: String(id) };
  const undoing = { label: 'Undo', action: here, fields };
  return redirectWithFlash(context, here, dealMessages.linkTrusted, { undo: undoing });
}

function undoOf(batch: string, action: string) {
  return { label: 'Undo', action, fields: { intent: 'undo', batch } };
}

function verbOf(text: string): Verb | undefined {
  return bulkVerbs.filter((verb) => verb !== 'restore').find((verb) => verb === text);
}
