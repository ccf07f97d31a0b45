import { describe, expect, test } from 'vitest';
import type { Tx } from '#database/connect.ts';
import { useTestDatabase } from '#test/database.ts';
import { keepPassword, linkProvider, makeAccount } from './people/make-account.server.ts';
import { findOnce, storeOnce, takeOnce } from './one-time-values.server.ts';

const database = useTestDatabase();
const keep = (validForMs = 60_000) => storeOnce(database.db, 'setup', 'kept', { validForMs });

describe('R10: a one-time value', () => {
  test('finds a one-time value by its token any number of times, and consumes it once', async () => {
    const token = await keep();
    expect(await findOnce(database.db, 'setup', token)).toBe('kept');
    expect(await findOnce(database.db, 'setup', token)).toBe('kept');
    expect(await takeOnce(database.db, 'setup', token)).toBe('kept');
    expect(await takeOnce(database.db, 'setup', token)).toBeNull();
    expect(await findOnce(database.db, 'setup', token)).toBeNull();
  });

  test('returns a one-time value to only one of many parallel requests', async () => {
    const token = await keep();
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => takeOnce(database.db, 'setup', token)),
    );
    expect(taken.filter((value) => value === 'kept')).toHaveLength(1);
    expect(taken.filter((value) => value === null)).toHaveLength(7);
  });

  test('keeps a one-time value when the transaction that took it rolls back', async () => {
    const token = await keep();
    const failed = database.db.transaction().execute(async (tx) => {
      expect(await takeOnce(tx, 'setup', token)).toBe('kept');
      throw new Error('later on');
    });
    await expect(failed).rejects.toThrow('later on');
    expect(await takeOnce(database.db, 'setup', token)).toBe('kept');
  });

  test('expires a one-time value, and deletes it on a late attempt', async () => {
    const token = await keep(-1);
    expect(await findOnce(database.db, 'setup', token)).toBeNull();
    expect(await takeOnce(database.db, 'setup', token)).toBeNull();
    expect(await database.db.selectFrom('verifications').selectAll().execute()).toEqual([]);
  });

  test('does not find a one-time value by another token, by its hash, or for another purpose', async () => {
    const token = await keep();
    const [row] = await database.db.selectFrom('verifications').selectAll().execute();
    expect(JSON.stringify(row)).not.toContain(token);
    for (const wrong of ['', `${token}x`, row?.identifier ?? '', `setup:${token}`]) {
      expect(await findOnce(database.db, 'setup', wrong)).toBeNull();
      expect(await takeOnce(database.db, 'setup', wrong)).toBeNull();
    }
    expect(await takeOnce(database.db, 'reset-password', token)).toBeNull();
    expect(await takeOnce(database.db, 'setup', token)).toBe('kept');
  });

  test('accepts a one-time value from an older release', async () => {
    // The former library better-auth stored SHA-256 of purpose and token, in base64url without
    // padding.
    await database.db
      .insertInto('verifications')
      .values({
        id: 'of-old',
        identifier: 'KMWPVvPQc8cBsWFWVzIBXChmWp6zKxgjLUI0M4bjVic',
        value: 'kept',
        expires_at: new Date(Date.now() + 60_000),
      })
      .execute();
    expect(await takeOnce(database.db, 'setup', 'a-token-of-old')).toBe('kept');
  });
});

describe('an account', () => {
  const person = { email: 'lena@mail.example', fullName: 'Lena' };
  const inTransaction = <T>(act: (tx: Tx) => Promise<T>) => database.db.transaction().execute(act);

  test('creates one unverified account per email', async () => {
    const id = await inTransaction((tx) => makeAccount(tx, person));
    const rows = await database.db.selectFrom('users').selectAll().execute();
    expect(rows).toMatchObject([
      { id, email: 'lena@mail.example', full_name: 'Lena', role: 'user', email_verified: false },
    ]);
    const again = inTransaction((tx) => makeAccount(tx, person));
    await expect(again).rejects.toMatchObject({ code: '23505' });
  });

  test('keeps only an account’s latest password, and links a provider’s subject to one account only', async () => {
    const [one, two] = await inTransaction(async (tx) => [
      await makeAccount(tx, { ...person, isVerified: true }),
      await makeAccount(tx, { ...person, isVerified: true, email: 'ivo@mail.example' }),
    ]);
    const link = { providerId: 'github', subject: '17' };
    await inTransaction(async (tx) => {
      await keepPassword(tx, one, 'first');
      await keepPassword(tx, one, 'second');
      await linkProvider(tx, one, link);
    });
    const rows = await database.db
      .selectFrom('accounts')
      .select(['user_id', 'provider_id', 'password'])
      .orderBy('provider_id')
      .execute();
    expect(rows).toEqual([
      { user_id: one, provider_id: 'credential', password: 'second' },
      { user_id: one, provider_id: 'github', password: null },
    ]);
    const taken = inTransaction((tx) => linkProvider(tx, two, link));
    await expect(taken).rejects.toMatchObject({ code: '23505' });
  });
});
