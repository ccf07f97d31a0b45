import { data, type RouterContextProvider } from 'react-router';
import { listContactMessageIds } from '#app/features/contact/contact-queries.server.ts';
import { contactTable } from '#app/features/contact/contact-table.ts';
import { deleteContactMessages } from '#app/features/contact/delete-contact-messages.server.ts';
import { inboxMessages } from '#app/features/contact/inbox-messages.ts';
import { markContactMessages } from '#app/features/contact/mark-contact-messages.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import type { Db } from '#database/connect.ts';
import { listAddress, redirectWithFlash } from '../frame/flash.server.ts';
import { readSelection, type RowChoice } from '../frame/read-selection.ts';

const verbs = ['read', 'unread', 'delete'] as const;
type Verb = (typeof verbs)[number];

/** Every act on messages, of the list and of the page of one. Answers to `after`, the list where that is not said. */
export async function actOnMessages(
  request: Request,
  context: Readonly<RouterContextProvider>,
  actor: string,
  after?: (verb: Verb) => string,
) {
  const { db } = appServices(context);
  const form = await readFormBody(request);
  const isBulk = readText(form, 'intent') === 'bulk';
  const verb = verbs.find((one) => one === readText(form, isBulk ? 'verb' : 'intent'));
  const choice = isBulk ? readSelection(form) : { ids: [parseRowId(readText(form, 'id')) ?? 0] };
  if (!verb || !choice) return data(null, { status: 400 });
  const here = after?.(verb) ?? listAddress(request);
  const ids = await idsOf(db, request, choice);
  if (!ids.ok) return redirectWithFlash(context, here, ids.words, { kind: 'error' });
  const changed = await actOn(db, verb, { ids: ids.ids, actor });
  const { words, kind } = outcome(verb, { isBulk, changed });
  return redirectWithFlash(context, here, words, { kind });
}

function outcome(
  verb: Verb,
  { isBulk, changed }: { isBulk: boolean; changed: number },
): { words: string; kind: 'info' | 'error' } {
  const { deleted, deleteFailed, done, nothingSelected } = inboxMessages;
  if (changed === 0 && isBulk) return { words: nothingSelected, kind: 'error' };
  if (isBulk || verb !== 'delete') return { words: done(verb, changed || 1), kind: 'info' };
  return changed > 0 ? { words: deleted, kind: 'info' } : { words: deleteFailed, kind: 'error' };
}

function actOn(db: Db, verb: Verb, who: { ids: number[]; actor: string }): Promise<number> {
  return verb === 'delete'
    ? deleteContactMessages(db, who)
    : markContactMessages(db, { ...who, isRead: verb === 'read' });
}

async function idsOf(
  db: Db,
  request: Request,
  choice: RowChoice,
): Promise<{ ok: true; ids: number[] } | { ok: false; words: string }> {
  if ('ids' in choice) return { ok: true, ids: choice.ids };
  const query = parseTableQuery(contactTable, new URL(request.url).searchParams);
  const ids = await listContactMessageIds(db, query);
  return ids.length === choice.expectedCount
    ? { ok: true, ids }
    : { ok: false, words: inboxMessages.countChanged(choice.expectedCount, ids.length) };
}
