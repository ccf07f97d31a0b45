import { data } from 'react-router';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseTableQuery, type TableQuery, type TableSpec } from '#app/platform/table-query.ts';
import type { Db } from '#database/connect.ts';
import { listAddress, redirectWithError, redirectWithFlash } from './flash.server.ts';
import type { Context } from './read-or-fail.server.ts';
import { readSelection } from './read-selection.ts';

type Changed = { ok: true; changed: number } | { ok: false; seen: number; count: number };

/** Handles row actions, single and bulk. Redirects to `after`, by default the list. */
export async function actOnRows<Verb extends string, Sort extends string, Filter extends string>(
  request: Request,
  context: Context,
  {
    spec,
    verbs,
    change,
    words,
    after,
  }: {
    spec: TableSpec<Sort, Filter>;
    /** Messages for one row. Without `failed`, the action cannot fail. */
    verbs: readonly { verb: Verb; done: string; failed?: string }[];
    /** Changes the selected rows, or all matching rows if their number is still the same. */
    change: (
      db: Db,
      act: { verb: Verb; actor: string },
      choice: { ids: number[] } | { filter: TableQuery<Sort, Filter>; expectedCount: number },
    ) => Promise<Changed>;
    words: {
      changedMany: (verb: Verb, changed: number) => string;
      countChanged: (seen: number, now: number) => string;
      nothingSelected: string;
    };
    after?: (verb: Verb) => string;
  },
) {
  const form = await readFormBody(request);
  const isBulk = readText(form, 'intent') === 'bulk';
  const said = verbs.find(({ verb }) => verb === readText(form, isBulk ? 'verb' : 'intent'));
  const chosen = isBulk ? readSelection(form) : { ids: [parseRowId(readText(form, 'id')) ?? 0] };
  if (!said || !chosen) return data(null, { status: 400 });
  const { verb, done, failed } = said;
  const here = after?.(verb) ?? listAddress(request);
  const filter = parseTableQuery(spec, new URL(request.url).searchParams);
  const choice = 'ids' in chosen ? chosen : { ...chosen, filter };
  const act = { verb, actor: requireUser(context).id };
  const result = await change(appServices(context).db, act, choice);
  if (!result.ok) {
    return redirectWithError(context, here, words.countChanged(result.seen, result.count));
  }
  const { changed } = result;
  if (changed === 0 && isBulk) return redirectWithError(context, here, words.nothingSelected);
  if (changed === 0 && failed) return redirectWithError(context, here, failed);
  return redirectWithFlash(context, here, isBulk ? words.changedMany(verb, changed) : done);
}
