import type { Db } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { isStaff } from '../policy.ts';
import { describeBrowser } from '../sessions/describe-browser.ts';
import { lockSuperAdmins } from './change-role.server.ts';
import { userById } from './user-queries.server.ts';

export type EndSessionsResult =
  | { ok: true; ended: number }
  | { ok: false; reason: 'not-allowed' | 'self' | 'missing' };

/**
 * Ends one or all sessions of a colleague. Only a super_admin may do this, but not for themselves,
 * since their profile does. A session that has already ended is not an error.
 */
export async function endSessionsOf(
  db: Db,
  { actor, userId, sessionId }: { actor: string; userId: string; sessionId: string | null },
): Promise<EndSessionsResult> {
  return db.transaction().execute(async (tx): Promise<EndSessionsResult> => {
    if (!(await lockSuperAdmins(tx)).includes(actor)) return { ok: false, reason: 'not-allowed' };
    if (actor === userId) return { ok: false, reason: 'self' };
    const user = await userById(tx, userId).select('role').forUpdate().executeTakeFirst();
    if (!user || !isStaff(user.role)) return { ok: false, reason: 'missing' };
    let ending = tx.deleteFrom('sessions').where('user_id', '=', userId);
    if (sessionId !== null) ending = ending.where('id', '=', sessionId);
    const ended = await ending.returning('user_agent').execute();
    const [first] = ended;
    if (!first) return { ok: true, ended: 0 };
    await writeAudit(tx, {
      actor,
      action: sessionId === null ? 'user.end-sessions' : 'user.end-session',
      entity: 'user',
      entityId: userId,
      after:
        sessionId === null
          ? { sessions: ended.length }
          : { browser: describeBrowser(first.user_agent ?? '') },
    });
    return { ok: true, ended: ended.length };
  });
}
