import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/**
 * Runs a write that a constraint may reject. If so, rolls back the write only, so that the caller's
 * transaction can continue, and returns the constraint's entry in `reasons`.
 */
export async function refuseKnown<Result, Reason extends string>(
  db: Db,
  reasons: Record<string, Reason>,
  write: (tx: Db) => Promise<Result>,
): Promise<Result | { ok: false; reason: Reason }> {
  try {
    return db.isTransaction ? await atSavepoint(db, write) : await db.transaction().execute(write);
  } catch (error) {
    const constraint =
      error instanceof Error && 'constraint' in error ? error.constraint : undefined;
    const reason = typeof constraint === 'string' ? reasons[constraint] : undefined;
    if (!reason) throw error;
    return { ok: false, reason };
  }
}

async function atSavepoint<Result>(db: Db, write: (tx: Db) => Promise<Result>): Promise<Result> {
  await sql`savepoint refusable`.execute(db);
  try {
    const result = await write(db);
    await sql`release savepoint refusable`.execute(db);
    return result;
  } catch (error) {
    await sql`rollback to savepoint refusable`.execute(db);
    throw error;
  }
}
