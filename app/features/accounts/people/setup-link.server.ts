import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { WeakPasswordReason } from '../passwords/find-weak-password-reasons.ts';
import { judgePassword } from '../passwords/judge-password.server.ts';
import { keepPassword, makeAccount } from './make-account.server.ts';
import { findOnce, storeOnce, takeOnce } from '../one-time-values.server.ts';
import { hashPassword } from '../passwords/password-hash.server.ts';
import { userByEmail } from './user-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'env'>;

const validForMs = 24 * 3600 * 1000;

/**
 * Creates a link to create the owner's account, valid for a day. Returns `null` if the site has an
 * administrator.
 */
export async function makeSetupLink(db: Db, origin: string): Promise<string | null> {
  if (await hasStaff(db)) return null;
  return `${origin}/setup?token=${await storeOnce(db, 'setup', 'setup', { validForMs })}`;
}

/** Returns whether the setup link still works, without using it up. */
export async function isSetupLinkGood({ db }: { db: Db }, token: string): Promise<boolean> {
  return (await findOnce(db, 'setup', token)) !== null && !(await hasStaff(db));
}

type NewOwner = Record<'fullName' | 'email' | 'password', string>;

export type MakeOwnerResult =
  | { ok: true; userId: string }
  | { ok: false; reason: 'dead-link' }
  | { ok: false; reason: 'taken' }
  | { ok: false; reason: 'weak'; reasons: WeakPasswordReason[] };

/**
 * Creates the first super_admin through the setup link. Only one of two parallel calls succeeds.
 */
export async function claimSetupLink(
  services: Services,
  token: string,
  owner: NewOwner,
): Promise<MakeOwnerResult> {
  return makeSuperAdmin(services, owner, 'setup', async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('setup', 0))`.execute(tx);
    if (await hasStaff(tx)) return false;
    return (await takeOnce(tx, 'setup', token)) !== null;
  });
}

/** Creates a super_admin with a verified address, for the command line and the setup link. */
export async function makeSuperAdmin(
  { db, env }: Services,
  { fullName, email, password }: NewOwner,
  actor: 'setup' | 'cli',
  mayGoOn: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<MakeOwnerResult> {
  const reasons = await judgePassword({ db, env }, password, { email, fullName });
  if (reasons.length > 0) return { ok: false, reason: 'weak', reasons };
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (tx): Promise<MakeOwnerResult> => {
    const taken = await userByEmail(tx, email).select('id').executeTakeFirst();
    if (taken) return { ok: false, reason: 'taken' };
    if (!(await mayGoOn(tx))) return { ok: false, reason: 'dead-link' };
    const person = { email, fullName, isVerified: true, role: 'super_admin' as const };
    const userId = await makeAccount(tx, person);
    await keepPassword(tx, userId, passwordHash);
    await writeAudit(tx, {
      actor,
      action: 'user.role',
      entity: 'user',
      entityId: userId,
      after: { role: 'super_admin' },
    });
    return { ok: true, userId };
  });
}

async function hasStaff(db: Db): Promise<boolean> {
  const staff = db.selectFrom('users').where('role', 'in', ['admin', 'super_admin']);
  const found = await staff.select('id').limit(1).executeTakeFirst();
  return found !== undefined;
}
