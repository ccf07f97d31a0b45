import { assert, asyncProperty, uint8Array } from '#test/fast-check.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { connect } from '#database/connect.ts';
import { containsPattern, startsWithPattern } from './like-pattern.ts';
import { openSealedSecret, type SealedFor, sealSecret } from './sealed-secret.server.ts';
import { siteSecret } from './site-secret.server.ts';

const database = useTestDatabase();
const unopened = 'unable to authenticate data';
const whose: SealedFor = { purpose: 'two-factor keys', owner: 'user-1' };

describe('a secret of the site', () => {
  test('derives different secrets by purpose, the same in every process', async () => {
    const mine = await siteSecret(database.db, 'captcha');
    expect(mine).toMatch(/^[\w-]{43}$/);
    expect(await siteSecret(database.db, 'captcha')).toBe(mine);
    expect(await siteSecret(database.db, 'unsubscribe')).not.toBe(mine);
    const other = connect(database.url);
    expect(await siteSecret(other.db, 'captcha')).toBe(mine);
    await other.close();
  });

  test('reads the site’s secret again after the database was unreachable', async () => {
    const gone = connect('postgres://nobody:x@127.0.0.1:1/none');
    await expect(siteSecret(gone.db, 'captcha')).rejects.toThrow('ECONNREFUSED');
    await expect(siteSecret(gone.db, 'captcha')).rejects.toThrow('ECONNREFUSED');
    await gone.close();
  });
});

describe('a sealed secret', () => {
  test('opens a sealed secret in its own context, whatever it contains', async () => {
    await assert(
      asyncProperty(uint8Array({ maxLength: 200 }), async (bytes) => {
        const sealed = await sealSecret(database.db, whose, Buffer.from(bytes));
        expect(await openSealedSecret(database.db, whose, sealed)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 30 },
    );
  });

  test('never seals a secret in the same way twice, and reveals nothing about it', async () => {
    const secret = Buffer.from('a key that nobody may read');
    const once = await sealSecret(database.db, whose, secret);
    const again = await sealSecret(database.db, whose, secret);
    expect(once).not.toEqual(again);
    expect(once.includes(secret)).toBe(false);
  });

  test.each<[string, SealedFor]>([
    ['another site', { ...whose, owner: 'user-2' }],
    ['another purpose', { ...whose, purpose: 'webhook secrets' }],
  ])('does not open a sealed secret for %s', async (_who, other) => {
    const sealed = await sealSecret(database.db, whose, Buffer.from('key'));
    await expect(openSealedSecret(database.db, other, sealed)).rejects.toThrow(unopened);
  });

  test('does not open a sealed secret that was changed anywhere or truncated', async () => {
    const sealed = await sealSecret(database.db, whose, Buffer.from('a key'));
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      await expect(openSealedSecret(database.db, whose, changed)).rejects.toThrow(unopened);
    }
    await expect(openSealedSecret(database.db, whose, sealed.subarray(0, -1))).rejects.toThrow(
      unopened,
    );
  });
});

describe('a LIKE pattern of typed text', () => {
  test.each([
    ['50%', 'Save 50% today', 'Save 500 today'],
    ['a_b', 'xa_bx', 'xaxbx'],
    ['c:\\x', 'in c:\\x there', 'in c:x there'],
  ])('matches %s literally in a LIKE pattern of typed text', async (typed, found, other) => {
    const matches = async (subject: string, pattern: string) => {
      const { rows } = await sql<{
        is: boolean;
      }>`select ${subject}::text like ${pattern} as is`.execute(database.db);
      return rows[0]?.is;
    };
    expect(await matches(found, containsPattern(typed))).toBe(true);
    expect(await matches(other, containsPattern(typed))).toBe(false);
    expect(await matches(`${typed} and more`, startsWithPattern(typed))).toBe(true);
    expect(await matches(found, startsWithPattern(typed))).toBe(false);
  });
});
