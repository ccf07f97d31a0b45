import { data, redirect, type RouterContextProvider } from 'react-router';
import { bulkVerbs } from '#database/schema/catalog-tables.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import {
  changeDeals,
  type ChangeDealsResult,
  type DealSelection,
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
import { editHref } from './edit-href.ts';
import { listAddress, redirectWithFlash } from '../frame/flash.server.ts';
import { readSelection } from '../frame/read-selection.ts';

type Context = Readonly<RouterContextProvider>;
type Verb = Exclude<(typeof bulkVerbs)[number], 'restore'>;

/** Every act of the list: on one deal, on the ticked ones, on all that match. */
export async function actOnDeals(request: Request, context: Context) {
  const form = await readFormBody(request);
  const intent = readText(form, 'intent');
  if (intent === 'undo') return undo(request, context, readText(form, 'batch'));
  if (intent === 'bulk') return changeMany(request, context, form);
  const id = parseRowId(readText(form, 'id'));
  if (id === null) return data(null, { status: 400 });
  if (intent === 'duplicate') return duplicate(request, context, id);
  if (intent === 'trust-link' || intent === 'doubt-link') {
    return judgeLink(request, context, id, intent === 'trust-link');
  }
  const verb = verbOf(intent);
  if (!verb || verb === 'category') return data(null, { status: 400 });
  return changeOne(request, context, verb, id);
}

async function changeOne(request: Request, context: Context, verb: Verb, id: number) {
  const { db, log } = appServices(context);
  const actor = requireUser(context).id;
  const here = listAddress(request);
  const failure = verb === 'delete' ? dealMessages.deleteFailed : dealMessages.gone;
  try {
    const result = await changeDeals(db, { actor, verb, categoryId: null }, { ids: [id] });
    if (!result.ok || result.state !== 'done' || result.failures.length > 0) {
      return redirectWithFlash(context, here, failure, { kind: 'error' });
    }
    if (verb !== 'delete') return say(context, here, verb, result);
    const { batch } = result;
    return redirectWithFlash(context, here, dealMessages.deleted, { undo: undoOf(batch, here) });
  } catch (error) {
    if (verb !== 'delete') throw error;
    log.error({ err: error, deal: id }, 'a deal could not be deleted');
    return redirectWithFlash(context, here, failure, { kind: 'error' });
  }
}

async function changeMany(request: Request, context: Context, form: FormData) {
  const { db } = appServices(context);
  const actor = requireUser(context).id;
  const here = listAddress(request);
  const verb = verbOf(readText(form, 'verb'));
  const selection = selectionOf(request, form);
  if (!verb || !selection) return data(null, { status: 400 });
  const categoryId = verb === 'category' ? parseRowId(readText(form, 'category')) : null;
  if (verb === 'category' && categoryId === null) {
    return redirectWithFlash(context, here, dealMessages.noTargetCategory, { kind: 'error' });
  }
  return say(context, here, verb, await changeDeals(db, { actor, verb, categoryId }, selection));
}

/** What became of a change of many, in words; where there is more to read, on a page of its own. */
function say(context: Context, here: string, verb: Verb | 'restore', result: ChangeDealsResult) {
  if (!result.ok)
    return redirectWithFlash(context, here, refusalOf(verb, result), { kind: 'error' });
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

async function undo(request: Request, context: Context, batch: string) {
  const { db } = appServices(context);
  const here = listAddress(request);
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(batch)) return data(null, { status: 400 });
  const actor = requireUser(context).id;
  return say(context, here, 'restore', await undoDeletion(db, { actor, batch }));
}

async function duplicate(request: Request, context: Context, id: number) {
  const { db } = appServices(context);
  const copy = await duplicateDeal(db, requireUser(context).id, id);
  if (!copy) {
    return redirectWithFlash(context, listAddress(request), dealMessages.gone, { kind: 'error' });
  }
  return redirectWithFlash(
    context,
    editHref(copy.id, new URL(listAddress(request), request.url).search),
    dealMessages.copied,
  );
}

/** A link that is called broken and is not, and back. */
async function judgeLink(request: Request, context: Context, id: number, isTrusted: boolean) {
  const { db } = appServices(context);
  const here = listAddress(request);
  const isDone = await trustLink(db, { actor: requireUser(context).id, id, isTrusted });
  if (!isDone) return redirectWithFlash(context, here, dealMessages.linkUnknown, { kind: 'error' });
  if (!isTrusted) return redirectWithFlash(context, here, dealMessages.linkDoubted);
  const fields = { intent: 'doubt-link', id: String(id) };
  return redirectWithFlash(context, here, dealMessages.linkTrusted, {
    undo: { label: 'Undo', action: here, fields },
  });
}

function undoOf(batch: string, action: string) {
  return { label: 'Undo', action, fields: { intent: 'undo', batch } };
}

/** The ticked deals, or all of the list that the form stood below. */
function selectionOf(request: Request, form: FormData): DealSelection | null {
  const choice = readSelection(form);
  return choice && 'expectedCount' in choice
    ? { ...choice, filter: parseTableQuery(dealsTable, new URL(request.url).searchParams) }
    : choice;
}

function verbOf(text: string): Verb | undefined {
  return bulkVerbs.filter((verb) => verb !== 'restore').find((verb) => verb === text);
}
