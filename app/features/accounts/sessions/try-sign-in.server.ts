import type { Db } from '#database/connect.ts';
import { openSession } from './open-session.server.ts';
import { findOpenSession } from './session-queries.server.ts';

class Undo extends Error {}

/** Tests signing in: opens a session, finds it by its cookie, and rolls back. */
export async function trySignIn(db: Db, userId: string, origin: string): Promise<boolean> {
  let isFound = false;
  try {
    await db.transaction().execute(async (tx) => {
      const place = { origin, address: '', userAgent: 'self-check' };
      const cookie = await openSession(tx, userId, place);
      const token = cookie.split(';', 1)[0]?.split('=')[1] ?? '';
      isFound = (await findOpenSession(tx, token))?.id === userId;
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  return isFound;
}
