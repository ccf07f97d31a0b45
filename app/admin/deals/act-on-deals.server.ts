import { data, redirect } from 'react-router';
import { type BulkVerb, bulkVerbs } from '#database/schema/catalog-tables.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  changeDeals,
  type ChangeDealsResult,
  undoDeletion,
  undoEdit,
} from '#app/features/deals/change-deals.server.ts';
import { dealMessages, describeChange } from '#app/features/deals/deal-messages.ts';
import { readDealEdit } from '#app/features/deals/deal-edit.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { duplicateDeal } from '#app/features/deals/manage-deal.server.ts';
import { checkLinkNow, dismissReports } from '#app/features/reports/decide-reports.server.ts';
import { reportMessages } from '#app/features/reports/report-messages.ts';
import { trustLink } from '#app/features/deals/trust-link.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { actOnViews, viewActOf } from '../frame/act-on-views.server.ts';
import { heldVerbs } from './held-verbs.ts';
import { editManyHref } from './edit-many-address.ts';
import { listAddress, redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import type { Context } from '../frame/read-or-fail.server.ts';
import { readSelection } from '../frame/read-selection.ts';

/** Verbs of the list. Prices and expiry change on a separate page with a preview. */
type Verb = Exclude<BulkVerb, 'restore' | 'price' | 'end' | 'put-back'>;

const longestValue = 40;

/** The acting user and their current list. */
interface Act {
  context: Context;
  actor: string;
  here: string;
}

/**
 * Handles every action of the list: on one deal, on selected or all matching deals, and on views
 * and columns.
 */
export async function actOnDeals(request: Request, context: Context) {
  const form = await readFormBody(request);
  const ofView = viewActOf(form);
  if (ofView) return actOnViews(request, context, { spec: dealsTable, act: ofView, form });
  const act = {
    context,
    actor: requireRight(context, 'catalog.write').id,
    here: listAddress(request),
  };
  const intent = readText(form, 'intent');
  if (intent === 'undo' || intent === 'put-back') {
    return undo(act, intent, readText(form, 'batch'));
  }
  if (intent === 'bulk') return changeMany(act, form, new URL(request.url).searchParams);
  const id = parseRowId(readText(form, 'id'));
  if (id === null) return data(null, { status: 400 });
  if (intent === 'duplicate') return duplicate(act, id, request.url);
  if (intent === 'trust-link' || intent === 'doubt-link') {
    return judgeLink(act, id, intent === 'trust-link');
  }
  if (intent === 'set-price' || intent === 'set-end') return setOne(act, id, form);
  const decide = decisions[intent];
  if (decide) return decide(act, id);
  const verb = verbOf(intent);
  if (!verb || verb === 'category' || isHeldVerb(verb)) return data(null, { status: 400 });
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
    if (verb !== 'delete') return answerChange(act, verb, result);
    const undoing = undoOf('undo', result.batch, here);
    return redirectWithFlash(context, here, dealMessages.deleted, { undo: undoing });
  } catch (error) {
    if (verb !== 'delete') throw error;
    log.error({ err: error, deal: id }, 'a deal could not be deleted');
    return redirectWithError(context, here, failure);
  }
}

/** Changes the price or the expiry of one deal, unless the deal changed since it was shown. */
async function setOne({ context, actor, here }: Act, id: number, form: FormData) {
  const { db } = appServices(context);
  const isPrice = readText(form, 'intent') === 'set-price';
  const typed = readText(form, 'to').slice(0, longestValue).trim();
  const read = readDealEdit(isPrice ? 'price' : 'end', typed, await readSiteSettings(db));
  const shownAt = Date.parse(readText(form, 'seen'));
  if (!read || Number.isNaN(shownAt)) return data(null, { status: 400 });
  if ('error' in read) return data(read, { status: 422 });
  // The form has milliseconds, and the database microseconds, so add one millisecond.
  const edit = { ...read.edit, seen: new Date(shownAt + 1).toISOString() };
  const verb = isPrice ? 'price' : 'end';
  const result = await changeDeals(db, { actor, verb, categoryId: null, edit }, { ids: [id] });
  return answerChange({ context, here }, verb, result);
}

async function changeMany(act: Act, form: FormData, list: URLSearchParams) {
  const { context, actor, here } = act;
  const verb = verbOf(readText(form, 'verb'));
  const chosen = readSelection(form);
  if (chosen && readText(form, 'verb') === 'edit') {
    return 'ids' in chosen && chosen.ids.length === 0
      ? redirectWithError(context, here, dealMessages.nothingSelected)
      : redirect(editManyHref(list, chosen));
  }
  if (!verb || !chosen) return data(null, { status: 400 });
  const choice =
    'ids' in chosen ? chosen : { ...chosen, filter: parseTableQuery(dealsTable, list) };
  const categoryId = verb === 'category' ? parseRowId(readText(form, 'category')) : null;
  if (verb === 'category' && categoryId === null) {
    return redirectWithError(context, here, dealMessages.noTargetCategory);
  }
  const change = { actor, verb, categoryId, edit: isHeldVerb(verb) ? seenOf(form) : null };
  return answerChange(act, verb, await changeDeals(appServices(context).db, change, choice));
}

/** Returns when the user loaded the held prices. Without the field, none count as seen. */
export function seenOf(form: FormData): { seen: string } {
  const seen = readText(form, 'seen');
  const isTime =
    /^[\d-]{10}T[\d:.]{8,15}[+-]\d\d:\d\d$/.test(seen) && !Number.isNaN(Date.parse(seen));
  return { seen: isTime ? seen : '-infinity' };
}

/** Describes the result of a bulk change, or redirects to a page with the details. */
export function answerChange(
  { context, here }: Pick<Act, 'context' | 'here'>,
  verb: BulkVerb,
  result: ChangeDealsResult,
) {
  if (!result.ok) return redirectWithError(context, here, refusalOf(verb, result));
  if (result.state === 'queued') return redirect(`/admin/deals/changes/${result.id}`);
  if (result.report !== null) return redirect(`/admin/deals/changes/${result.report}`);
  const { asked, changed, failures, batch } = result;
  const words = describeChange(verb, { asked, changed, failed: failures.length });
  const undoing = changed > 0 ? undoings[verb] : undefined;
  return redirectWithFlash(
    context,
    here,
    words,
    undoing ? { undo: undoOf(undoing, batch, here) } : {},
  );
}

/** The verb that undoes each change. */
const undoings: Partial<Record<BulkVerb, 'undo' | 'put-back'>> = {
  delete: 'undo',
  price: 'put-back',
  end: 'put-back',
};

function refusalOf(verb: BulkVerb, result: Extract<ChangeDealsResult, { ok: false }>): string {
  if (result.reason === 'count-changed') {
    return dealMessages.countChanged(result.seen, result.count);
  }
  if (result.reason === 'no-such-category') return dealMessages.noTargetCategory;
  if (verb === 'put-back') return dealMessages.tooLateToPutBack;
  return verb === 'restore' ? dealMessages.tooLate : dealMessages.nothingSelected;
}

async function undo(act: Act, intent: 'undo' | 'put-back', batch: string) {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(batch)) return data(null, { status: 400 });
  const { actor, context } = act;
  const { db } = appServices(context);
  return intent === 'undo'
    ? answerChange(act, 'restore', await undoDeletion(db, { actor, batch }))
    : answerChange(act, 'put-back', await undoEdit(db, { actor, batch }));
}

async function duplicate({ context, actor, here }: Act, id: number, url: string) {
  const copy = await duplicateDeal(appServices(context).db, actor, id);
  if (!copy) return redirectWithError(context, here, dealMessages.gone);
  const { search } = new URL(here, url);
  return redirectWithFlash(context, `/admin/deals/${copy.id}/edit${search}`, dealMessages.copied);
}

const dismissed = {
  over: { done: reportMessages.dismissed, none: reportMessages.nothingToDismiss },
  product: { done: reportMessages.productKept, none: reportMessages.noProductReports },
};

async function dismiss(
  { context, actor, here }: Act,
  id: number,
  about: keyof typeof dismissed,
): Promise<Response> {
  const words = dismissed[about];
  return (await dismissReports(appServices(context).db, { actor, id, about }))
    ? redirectWithFlash(context, here, words.done)
    : redirectWithError(context, here, words.none);
}

/** Actions on a deal that visitors reported. */
const decisions: Record<string, ((act: Act, id: number) => Promise<Response>) | undefined> = {
  async 'end-reported'(act, id) {
    const { db, now } = appServices(act.context);
    const edit = { field: 'expires_at', at: now().toISOString(), seen: 'infinity' } as const;
    const change = { actor: act.actor, verb: 'end', categoryId: null, edit } as const;
    return answerChange(act, 'end', await changeDeals(db, change, { ids: [id] }));
  },
  'dismiss-reports': (act, id) => dismiss(act, id, 'over'),
  'dismiss-product-reports': (act, id) => dismiss(act, id, 'product'),
  async 'check-link'({ context, actor, here }, id) {
    const answer = await checkLinkNow(appServices(context), { actor, id });
    return answer === null
      ? redirectWithError(context, here, dealMessages.gone)
      : redirectWithFlash(context, here, reportMessages.linkAnswers[answer]);
  },
};

/** Marks a link that is not broken after all as working, or undoes that. */
async function judgeLink({ context, actor, here }: Act, id: number, isTrusted: boolean) {
  const isDone = await trustLink(appServices(context).db, { actor, id, isTrusted });
  if (!isDone) return redirectWithError(context, here, dealMessages.linkUnknown);
  if (!isTrusted) return redirectWithFlash(context, here, dealMessages.linkDoubted);
  const fields = { intent: 'doubt-link', id: String(id) };
  const undoing = { label: 'Undo', action: here, fields };
  return redirectWithFlash(context, here, dealMessages.linkTrusted, { undo: undoing });
}

function undoOf(intent: 'undo' | 'put-back', batch: string, action: string) {
  return { label: 'Undo', action, fields: { intent, batch } };
}

function verbOf(text: string): Verb | undefined {
  return bulkVerbs.filter(isAtOnce).find((verb) => verb === text);
}

function isHeldVerb(verb: BulkVerb): boolean {
  return heldVerbs.some(({ value }) => value === verb);
}

function isAtOnce(verb: BulkVerb): verb is Verb {
  return verb !== 'restore' && verb !== 'price' && verb !== 'end' && verb !== 'put-back';
}
