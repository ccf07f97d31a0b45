import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { authOn } from './auth.server.ts';
import type { WeakPasswordReason } from './find-weak-password-reasons.ts';
import { newToken } from './hash-token.server.ts';
import { judgePassword } from './judge-password.server.ts';
import { hashPassword } from './password-hash.server.ts';

const validForMs = 24 * 3600 * 1000;
const purpose = (token: string) => `setup:${token}`;

/** A link that makes the owner's account, on a site without any administrator; else null (R33). Good for a day. */
export async function makeSetupLink(db: Db, origin: string): Promise<string | null> {
  if (await hasStaff(db)) return null;
  const token = newToken();
  const { store } = await authOn(db, { origin });
  const expiresAt = new Date(Date.now() + validForMs);
  await store.createVerificationValue({ identifier: purpose(token), value: 'setup', expiresAt });
  return `${origin}/setup?token=${token}`;
}

/** Whether the link still opens. Looking uses nothing up. */
export async function isSetupLinkGood(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  token: string,
): Promise<boolean> {
  const { store } = await authOn(db, { origin: env.origin });
  const found = await store.findVerificationValue(purpose(token));
  return found !== null && found.expiresAt.getTime() > Date.now() && !(await hasStaff(db));
}

export interface NewOwner {
  fullName: string;
  email: string;
  password: string;
}

export type MakeOwnerResult =
  | { ok: true; userId: string }
  | { ok: false; reason: 'dead-link' }
  | { ok: false; reason: 'taken' }
  | { ok: false; reason: 'weak'; reasons: WeakPasswordReason[] };

/** The first super_admin, by the link. Of two who hold it, one becomes it. */
export async function claimSetupLink(
  services: Pick<AppServices, 'db' | 'env'>,
  token: string,
  owner: NewOwner,
): Promise<MakeOwnerResult> {
  const { env } = services;
  return makeSuperAdmin(services, owner, 'setup', async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('setup', 0))`.execute(tx);
    if (await hasStaff(tx)) return false;
    const { store } = await authOn(tx, { origin: env.origin });
    return (await store.consumeVerificationValue(purpose(token))) !== null;
  });
}

/** A new super_admin whose address counts as verified: for whoever has the machine, or the link. */
export async function makeSuperAdmin(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  { fullName, email, password }: NewOwner,
  actor: 'setup' | 'cli',
  mayGoOn: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<MakeOwnerResult> {
  const reasons = await judgePassword({ db, env }, password, { email, fullName });
  if (reasons.length > 0) return { ok: false, reason: 'weak', reasons };
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (tx): Promise<MakeOwnerResult> => {
    const taken = await tx
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst();
    if (taken) return { ok: false, reason: 'taken' };
    if (!(await mayGoOn(tx))) return { ok: false, reason: 'dead-link' };
    const { api } = await authOn(tx, { origin: env.origin, passwordHash });
    const { user } = await api.signUpEmail({ body: { name: fullName, email, password } });
    await tx
      .updateTable('users')
      .set({ role: 'super_admin', email_verified: true })
      .where('id', '=', user.id)
      .execute();
    await writeAudit(tx, {
      actor,
      action: 'user.role',
      entity: 'user',
      entityId: user.id,
      after: { role: 'super_admin' },
    });
    return { ok: true, userId: user.id };
  });
}

async function hasStaff(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('role', 'in', ['admin', 'super_admin'])
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
