import { randomInt, timingSafeEqual } from 'node:crypto';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { hashToken } from '../hash-token.server.ts';
import {
  openSealedSecret,
  sealSecret,
  type SealedFor,
} from '#app/platform/sealed-secret.server.ts';
import { updateUser } from '../people/user-queries.server.ts';
import { findTotpStep, newTotpKey, toBase32 } from './totp.server.ts';

const backupCodeCount = 10;
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

type Services = Pick<AppServices, 'db'>;

/** Returns a key that `confirmTwoFactor` activates. A second call returns the same key. */
export async function beginTwoFactor({ db }: Services, userId: string): Promise<Buffer> {
  const sealed = await sealSecret(db, ownKey(userId), newTotpKey());
  await db
    .insertInto('two_factors')
    .values({ user_id: userId, sealed_key: sealed })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
  const kept = await findKey(db, userId);
  if (!kept) throw new Error('the key that was just stored is missing');
  return kept.key;
}

/** Returns whether this key is pending. Only a user who passed the identity check has seen it. */
export async function isBegunKey({ db }: Services, userId: string, key: string): Promise<boolean> {
  const begun = await findKey(db, userId);
  if (!begun || begun.confirmed_at) return false;
  const own = Buffer.from(toBase32(begun.key));
  const shown = Buffer.from(key);
  return own.length === shown.length && timingSafeEqual(own, shown);
}

/**
 * Activates the key if the app's code is right. Returns the backup codes, which are never shown
 * again.
 */
export async function confirmTwoFactor(
  services: Services,
  userId: string,
  code: string,
): Promise<string[] | null> {
  if (!(await takeTotpStep(services, userId, code))) return null;
  const codes = Array.from({ length: backupCodeCount }, newBackupCode);
  await services.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('two_factors')
      .set({ confirmed_at: new Date() })
      .where('user_id', '=', userId)
      .execute();
    await updateUser(tx, userId).set({ two_factor_enabled: true }).execute();
    await tx.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
    await tx
      .insertInto('backup_codes')
      .values(codes.map((one) => ({ user_id: userId, code_hash: hashToken(plain(one)) })))
      .execute();
  });
  return codes;
}

export async function endTwoFactor({ db }: Services, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await updateUser(tx, userId).set({ two_factor_enabled: false }).execute();
    await tx.deleteFrom('two_factors').where('user_id', '=', userId).execute();
    await tx.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
  });
}

/** Checks a code from the app or a backup code, and uses the code up. */
export async function isRightSecondFactor(
  services: Services,
  userId: string,
  code: string,
): Promise<boolean> {
  if (/^[\d\s]*$/.test(code)) return takeTotpStep(services, userId, code);
  const { numDeletedRows } = await services.db
    .deleteFrom('backup_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashToken(plain(code)))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function countBackupCodes({ db }: Services, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('backup_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

async function findKey(db: AppServices['db'], userId: string) {
  const row = await db
    .selectFrom('two_factors')
    .select(['sealed_key', 'last_step', 'confirmed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? { ...row, key: await openSealedSecret(db, ownKey(userId), row.sealed_key) } : null;
}

async function takeTotpStep({ db }: Services, userId: string, code: string): Promise<boolean> {
  const kept = await findKey(db, userId);
  const step = kept && findTotpStep(kept.key, code, new Date(), kept.last_step);
  if (step === null) return false;
  // Only the first of two requests with the same code succeeds.
  const { numUpdatedRows } = await db
    .updateTable('two_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const newBackupCode = () => `${drawLetters()}-${drawLetters()}`;

function drawLetters(): string {
  return Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
}

function plain(code: string): string {
  return code.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function ownKey(userId: string): SealedFor {
  return { purpose: 'two-factor keys', owner: userId };
}
