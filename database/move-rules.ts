/**
 * Uploads that were never imported are deleted with their rows. Others are kept, so that an import
 * can be undone.
 */
export function movedBy(job: string) {
  const where = `created_at < now() - interval '30 days' and state in ('reading', 'ready')`;
  return {
    keepsIdIn: ['created_by', 'undone_by'],
    old: { job, where, hasIndex: true as const },
  };
}

/** An upload's rows are needed until they are imported. */
export function rowsOfMoves(job: string, moves: string) {
  const where = `created_at < now() - interval '30 days' and not exists (select from ${moves} m where m.id = move_id and m.state = 'running')`;
  return { job, where, hasIndex: true as const };
}

/** Imports are kept for as long as they can be undone. */
export function undoneWithin30Days(job: string) {
  const where = `created_at < now() - interval '30 days'`;
  return { keepsIdIn: ['created_by', 'undone_by'], old: { job, where, hasIndex: true as const } };
}
