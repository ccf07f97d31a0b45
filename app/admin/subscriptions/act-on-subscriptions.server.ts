import { data, type RouterContextProvider } from 'react-router';
import {
  changeSubscriptions,
  type ChangeSubscriptionsResult,
  type EndVerb,
} from '#app/features/newsletter/change-subscriptions.server.ts';
import { subscriptionMessages } from '#app/features/newsletter/subscription-messages.ts';
import { subscriptionTable } from '#app/features/newsletter/subscription-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { listAddress, redirectWithFlash } from '../frame/flash.server.ts';
import { readSelection } from '../frame/read-selection.ts';

type Context = Readonly<RouterContextProvider>;

/** Every act of the list but reactivating, which has a form of its own. */
export async function actOnSubscriptions(request: Request, context: Context, actor: string) {
  const { db } = appServices(context);
  const form = await readFormBody(request);
  const here = listAddress(request);
  const intent = readText(form, 'intent');
  const isBulk = intent === 'bulk';
  const verb = readVerb(isBulk ? readText(form, 'verb') : intent);
  if (!verb) return data(null, { status: 400 });
  if (!isBulk) {
    const ids = [parseRowId(readText(form, 'id')) ?? 0];
    const result = await changeSubscriptions(db, { verb, actor }, { ids });
    return sayOne(context, here, verb, result);
  }
  const chosen = readSelection(form);
  if (!chosen) return data(null, { status: 400 });
  const filter = parseTableQuery(subscriptionTable, new URL(request.url).searchParams);
  const choice = 'ids' in chosen ? chosen : { filter, ...chosen };
  return sayMany(context, here, verb, await changeSubscriptions(db, { verb, actor }, choice));
}

function sayOne(context: Context, here: string, verb: EndVerb, result: ChangeSubscriptionsResult) {
  const { deleted, deactivated, deleteFailed, updateFailed } = subscriptionMessages;
  if (result.ok && result.changed > 0) {
    return redirectWithFlash(context, here, verb === 'delete' ? deleted : deactivated);
  }
  const words = verb === 'delete' ? deleteFailed : updateFailed;
  return redirectWithFlash(context, here, words, { kind: 'error' });
}

function sayMany(context: Context, here: string, verb: EndVerb, result: ChangeSubscriptionsResult) {
  const { changedMany, countChanged, nothingSelected } = subscriptionMessages;
  if (!result.ok) {
    const words = countChanged(result.seen, result.count);
    return redirectWithFlash(context, here, words, { kind: 'error' });
  }
  return result.changed > 0
    ? redirectWithFlash(context, here, changedMany(verb, result.changed))
    : redirectWithFlash(context, here, nothingSelected, { kind: 'error' });
}

function readVerb(text: string): EndVerb | null {
  return text === 'deactivate' || text === 'delete' ? text : null;
}
