import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { openPush, pushReceiver } from '#test/push-stand-in.ts';
import { arePushKeys, encryptPush, longestPush } from './encrypt-push.server.ts';
import { vapidHeader, vapidKeys } from './vapid.server.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');
const database = useTestDatabase();

describe('encryption', () => {
  // The example of RFC 8291, section 5 and appendix A.
  const example = {
    keys: {
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    sealed:
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  };

  test('encrypts the example of RFC 8291 as the RFC does', () => {
    const plain = Buffer.from('When I grow up, I want to be a watermelon');
    const { keys, privateKey, salt, sealed } = example;
    expect(encryptPush(plain, keys, { privateKey, salt }).toString('base64url')).toBe(sealed);
  });

  test('encrypts a push message for a single browser, and differently each time', () => {
    const receiver = pushReceiver();
    const [one, two] = [1, 2].map(() => encryptPush(Buffer.from('Now $8'), receiver.keys));
    expect(openPush(one ?? Buffer.alloc(0), receiver)).toBe('Now $8');
    expect(openPush(two ?? Buffer.alloc(0), receiver)).toBe('Now $8');
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(false);
    expect(() => openPush(one ?? Buffer.alloc(0), pushReceiver())).toThrow('authenticate');
  });

  test('accepts a push message that fits into one record, but not one byte more', () => {
    const { keys } = pushReceiver();
    expect(encryptPush(Buffer.alloc(longestPush), keys)).toHaveLength(4096);
    expect(() => encryptPush(Buffer.alloc(longestPush + 1), keys)).toThrow('one record');
  });

  test('detects invalid keys', () => {
    const { keys } = pushReceiver();
    expect(arePushKeys(keys)).toBe(true);
    expect(arePushKeys({ ...keys, auth: 'short' })).toBe(false);
    expect(arePushKeys({ ...keys, p256dh: keys.p256dh.slice(1) })).toBe(false);
    const offTheCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]);
    expect(arePushKeys({ ...keys, p256dh: offTheCurve.toString('base64url') })).toBe(false);
  });
});

describe("the sender's identity (RFC 8292)", () => {
  test('creates one pair of VAPID keys for the site, even if many processes request it at the same time', async () => {
    const { db } = database;
    await db.deleteFrom('site_secrets').where('name', '=', 'vapid').execute();
    const asked = [1, 2, 3].map(() => vapidKeys(db.withoutPlugins()));
    const [first, ...others] = await Promise.all(asked);
    expect(bytes(first?.publicKey ?? '')).toHaveLength(65);
    for (const other of others) expect(other.publicKey).toBe(first?.publicKey);
  });

  test('keeps a pair of VAPID keys that an earlier version of the site stored', async () => {
    const { db } = database;
    const value =
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglwJqG7_Mt17SIh8DIXNquco7NPHfz0stqvkesVWVNUGhRANCAASe-HqxgjJjOvzmTs8gGaWqACHibyzKEW2Sbrt_zA3IWFoA9mAqzphIroqFvyGG1X19zMXToZ7WHsGSlDtIdvh7';
    await db.deleteFrom('site_secrets').where('name', '=', 'vapid').execute();
    await db.insertInto('site_secrets').values({ name: 'vapid', value }).execute();
    const { publicKey } = await vapidKeys(db.withoutPlugins());
    expect(publicKey).toBe(
      'BJ74erGCMmM6_OZOzyAZpaoAIeJvLMoRbZJuu3_MDchYWgD2YCrOmEiuioW_IYbVfX3MxdOhntYewZKUO0h2-Hs',
    );
    await db.deleteFrom('site_secrets').where('name', '=', 'vapid').execute();
  });

  test('signs a token with the service, its expiry and our address (RFC 8292)', async () => {
    const keys = await vapidKeys(database.db);
    const now = new Date('2026-11-21T12:00:00Z');
    const endpoint = 'https://push.example:8443/send/abc';
    const header = await vapidHeader(keys, endpoint, 'mailto:hello@deals.test', now);
    const [, head = '', claims = '', signature = '', key = ''] =
      /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
    expect(key).toBe(keys.publicKey);
    expect(JSON.parse(bytes(head).toString())).toEqual({ typ: 'JWT', alg: 'ES256' });
    expect(JSON.parse(bytes(claims).toString())).toEqual({
      aud: 'https://push.example:8443',
      exp: now.getTime() / 1000 + 12 * 3600,
      sub: 'mailto:hello@deals.test',
    });
    const point = bytes(key);
    const publicKey = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
      },
    });
    const proof = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), proof, bytes(signature))).toBe(true);
  });
});
