import { type Selectable, sql } from 'kysely';
import type { DealColumns } from '#app/features/deals/deal-columns.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import type { ImportIssue } from './import-steps.ts';

type RunRow = Selectable<Database['import_runs']>;
type Figures = 'rows_read' | 'rows_new' | 'rows_changed' | 'rows_ended' | 'rows_rejected';
type Summarised = 'id' | 'state' | 'rollback' | 'is_dry_run' | 'started_at' | Figures;

export interface RunSummary extends Pick<RunRow, Summarised> {
  source_id: number | null;
  source: string;
  merchant: string | null;
}

/** Returns the log of runs, newest first. */
export async function listImportRuns(
  db: Db,
  page: { limit: number; offset: number; sourceId?: number },
): Promise<{ rows: RunSummary[]; total: number }> {
  const scope = page.sourceId === undefined ? sql`true` : sql`r.feed_source_id = ${page.sourceId}`;
  const { rows } = await sql<RunSummary>`
    select r.id, r.feed_source_id as source_id, coalesce(s.name, r.source_name) as source, m.name as merchant,
           r.state, r.rollback, r.is_dry_run, r.rows_read, r.rows_new, r.rows_changed, r.rows_ended, r.rows_rejected, r.started_at
      from import_runs r left join feed_sources s on s.id = r.feed_source_id
      left join merchants m on m.id = r.merchant_id
     where ${scope} order by r.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  const { rows: counted } = await sql<{ n: number }>`
    select count(*) as n from import_runs r where ${scope}`.execute(db);
  return { rows, total: counted[0]?.n ?? 0 };
}

export type RunDetail = RunRow & {
  source: string | null;
  source_kind: Selectable<Database['feed_sources']>['kind'] | null;
  source_content: Selectable<Database['feed_sources']>['content'] | null;
  merchant: string | null;
  started_by_name: string | null;
  /** The number of deals that can still be restored. */
  undoable: number;
  /** The number of deals waiting for the decision whether to end them. */
  waiting: number;
};

export async function findImportRun(db: Db, id: number): Promise<RunDetail | null> {
  const { rows } = await sql<RunDetail>`
    select r.*, s.name as source, s.kind as source_kind, s.content as source_content, m.name as merchant,
           coalesce(nullif(u.full_name, ''), u.email) as started_by_name,
           (select count(*) from import_changes c where c.import_run_id = r.id) as undoable,
           (select count(*) from import_endings e where e.import_run_id = r.id) as waiting
      from import_runs r left join feed_sources s on s.id = r.feed_source_id
      left join merchants m on m.id = r.merchant_id left join users u on u.id = r.started_by
     where r.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The values that change during a run. */
export type RunPulse = Pick<RunRow, 'state' | 'phase' | 'wants_cancel' | Moving> & {
  /** Seconds within the current phase. */
  seconds: number;
};
type Moving =
  | 'rows_read'
  | 'rows_done'
  | 'rows_total'
  | 'rows_to_write'
  | 'bytes_read'
  | 'bytes_total';

export async function readRunPulse(db: Db, id: number): Promise<RunPulse | null> {
  const { rows } = await sql<RunPulse>`
    select state, phase, rows_read, rows_done, rows_total, rows_to_write, bytes_read, bytes_total, wants_cancel,
           extract(epoch from coalesce(finished_at, now()) - coalesce(phase_since, started_at))::float as seconds
      from import_runs where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export type RunIssue = ImportIssue & { id: number };

export function listRunIssues(db: Db, runId: number, most: number): Promise<RunIssue[]> {
  return db
    .selectFrom('import_issues')
    .select(['id', 'kind', 'line', 'external_id', 'reason'])
    .where('import_run_id', '=', runId)
    .orderBy(sql`line nulls last`)
    .orderBy('id')
    .limit(most)
    .execute();
}

export interface RunChange extends DealColumns<
  'external_id' | 'title' | 'sale_price' | 'currency'
> {
  deal_id: number;
  kind: 'created' | 'changed' | 'ended';
  before_price: number | null;
  before_currency: string;
}

/** Returns a page of the run's results per deal, after the given id, for the report. */
export async function listRunChanges(
  db: Db,
  runId: number,
  after: number,
  most: number,
): Promise<RunChange[]> {
  const { rows } = await sql<RunChange>`
    select c.deal_id, c.kind, d.external_id, d.title, (c.before->>'sale_price')::int as before_price,
           coalesce(c.before->>'currency', c.currency) as before_currency,
           d.sale_price, d.currency
      from import_changes c join deals d on d.id = c.deal_id
     where c.import_run_id = ${runId} and c.deal_id > ${after} order by c.deal_id limit ${most}`.execute(
    db,
  );
  return rows;
}
