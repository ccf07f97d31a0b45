import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';
import { nextRunAt } from '../sources/feed-source-queries.server.ts';
import { nameFeedSource } from '../sources/open-feed.server.ts';

interface QueuedImport {
  sourceId: number;
  /** A stored copy of the feed. If absent, the feed is fetched when the run starts. */
  file?: { path: string; name: string };
  isDryRun?: boolean;
  mayEndMany?: boolean;
  actor: string;
}

/**
 * Queues a run for the next free process. If a run of this source is waiting or running, returns
 * that run, so that two clicks start only one.
 */
export async function queueImport(db: Db, wish: QueuedImport): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    const source = await tx
      .selectFrom('feed_sources')
      .select(['id', 'merchant_id', 'name', 'kind', 'location', 'format'])
      .where('id', '=', wish.sourceId)
      .forUpdate()
      .executeTakeFirst();
    if (!source) return null;
    const isDryRun = wish.isDryRun ?? false;
    const waiting = await tx
      .selectFrom('import_runs')
      .select('id')
      .where('feed_source_id', '=', source.id)
      .where('is_dry_run', '=', isDryRun)
      .where('state', 'in', ['queued', 'running'])
      .executeTakeFirst();
    if (waiting) return waiting.id;
    const { id } = await tx
      .insertInto('import_runs')
      .values({
        feed_source_id: source.id,
        merchant_id: source.merchant_id,
        source_name:
          wish.file?.name ??
          (source.kind === 'url' ? nameFeedSource({ url: source.location }) : source.location),
        format: source.format,
        state: 'queued',
        is_dry_run: isDryRun,
        file: wish.file?.path ?? null,
        file_name: wish.file?.name ?? null,
        may_end_many: wish.mayEndMany ?? false,
        started_by: wish.actor,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (!isDryRun && wish.actor !== 'system') {
      const act = { actor: wish.actor, action: 'import.start', after: { source: source.name } };
      await writeAudit(tx, { ...act, entity: 'import', entityId: id });
    }
    return id;
  });
}

/** Queues every due source. Parallel processes never queue the same one. */
export async function queueDueImports(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number; minutes: number }>`
    select id, schedule_minutes as minutes from feed_sources
     where is_active and schedule_minutes is not null and next_run_at <= now() order by next_run_at`.execute(
    db,
  );
  const queued: number[] = [];
  for (const { id, minutes } of rows) {
    const taken = await db
      .updateTable('feed_sources')
      .set({ next_run_at: nextRunAt(minutes) })
      .where('id', '=', id)
      .where('next_run_at', '<=', sql<Date>`now()`)
      .executeTakeFirst();
    if (taken.numUpdatedRows === 0n) continue;
    const run = await queueImport(db, { sourceId: id, actor: 'system' });
    if (run !== null) queued.push(run);
  }
  return queued;
}

/** Ends a waiting run immediately, and a running one after its current batch. */
export async function cancelImport(db: Db, runId: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    update import_runs
       set wants_cancel = true,
           finished_at = case when state = 'queued' then now() end,
           state = case when state = 'queued' then 'cancelled' else state end
     where id = ${runId} and state in ('queued', 'running') returning id`.execute(db);
  return rows.length > 0;
}
