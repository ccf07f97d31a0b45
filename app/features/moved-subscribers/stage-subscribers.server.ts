import type { FeedSizeLimits } from '#app/features/feeds/formats/decode-feed.server.ts';
import { errorOfFile, FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { readSubscribers, type SubscriberRow } from './read-subscribers.server.ts';
import { type ColumnChoices, stricterState } from './subscriber-columns.ts';

type StagedRow = Omit<SubscriberRow, 'problem'> & {
  problem: SubscriberRow['problem'] | 'duplicate';
};

const rowsAtATime = 2_000;

/**
 * Stores the rows of a list for its preview, and returns the id of the import. If the file can't be
 * read, throws a `FeedError` and stores nothing.
 */
export async function stageSubscribers(
  db: Db,
  source: AsyncIterable<Uint8Array>,
  {
    name,
    actor,
    ...reading
  }: { name: string; actor: string; limits: FeedSizeLimits; choices: ColumnChoices; now: Date },
): Promise<number> {
  const { id } = await db
    .insertInto('subscriber_moves')
    .values({ file_name: name.slice(0, 200), created_by: actor })
    .returning('id')
    .executeTakeFirstOrThrow();
  try {
    for await (const batch of readSubscribers(source, reading)) {
      for (let from = 0; from < batch.length; from += rowsAtATime) {
        const rows = batch.slice(from, from + rowsAtATime);
        await db.transaction().execute((tx) => stageRows(tx, id, rows));
      }
    }
    await setReady(db, id);
    return id;
  } catch (error) {
    await db.deleteFrom('subscriber_moves').where('id', '=', id).execute();
    throw error instanceof FeedError ? errorOfFile(error) : error;
  }
}

function setReady(db: Db, id: number) {
  return db
    .updateTable('subscriber_moves')
    .set({ state: 'ready' })
    .where('id', '=', id)
    .where('state', '=', 'reading')
    .execute();
}

/**
 * Stores rows. The first row of an address gets the strictest state of all rows of that address.
 */
async function stageRows(tx: Tx, move: number, rows: readonly SubscriberRow[]): Promise<void> {
  const emails = rows.filter(({ problem }) => !problem).map(({ email }) => email);
  const stored = await ask(tx).rows<StagedRow>`
    select line, email, state, consent_at as "consentAt", left_at as "leftAt", problem
      from subscriber_move_rows
     where move_id = ${move} and problem is null and email = any(${emails}::text[])`;
  const firsts = new Map<string, StagedRow>(stored.map((row) => [row.email, row]));
  const changed = new Set<StagedRow>();
  const added: StagedRow[] = [];
  for (const row of rows) {
    const first = row.problem ? undefined : firsts.get(row.email);
    if (!first) {
      const fresh: StagedRow = { ...row };
      added.push(fresh);
      if (!row.problem) firsts.set(row.email, fresh);
      continue;
    }
    added.push({ ...row, problem: 'duplicate' });
    const state = stricterState(first.state, row.state);
    const consentAt = first.consentAt ?? row.consentAt;
    const leftAt = first.leftAt ?? row.leftAt;
    Object.assign(first, { state, consentAt, leftAt });
    changed.add(first);
  }
  await ask(tx).rows`
    insert into subscriber_move_rows (move_id, line, email, state, consent_at, left_at, problem)
    select ${move}, line, email, state, "consentAt", "leftAt", problem
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as given (
        line integer, email text, state text, "consentAt" timestamptz, "leftAt" timestamptz, problem text)`;
  if (changed.size === 0) return;
  await ask(tx).rows`
    update subscriber_move_rows r
       set state = given.state, consent_at = given."consentAt", left_at = given."leftAt"
      from jsonb_to_recordset(${JSON.stringify([...changed])}::jsonb) as given (
        line integer, state text, "consentAt" timestamptz, "leftAt" timestamptz)
     where r.move_id = ${move} and r.line = given.line`;
}
