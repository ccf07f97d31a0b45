import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { assert, asyncProperty, uint8Array } from '#test/fast-check.ts';
import { softAuthenticator } from '#test/soft-authenticator.ts';
import { describe, expect, test } from 'vitest';
import { newPasskeyAnswer, passkeyAnswer } from './passkey-input.ts';
import { verifyNewPasskey, verifyPasskeyUse } from './verify-passkey.server.ts';

const expected = { challenge: 'A'.repeat(43), origin: 'https://deals.test' };

describe('CBOR', () => {
  // Examples of RFC 8949, appendix A, for the types that authenticators write.
  test.each<[string, unknown]>([
    ['00', 0],
    ['17', 23],
    ['1818', 24],
    ['1903e8', 1000],
    ['1a000f4240', 1_000_000],
    ['20', -1],
    ['3863', -100],
    ['3903e7', -1000],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['40', Buffer.alloc(0)],
    ['4401020304', Buffer.from([1, 2, 3, 4])],
    ['6449455446', 'IETF'],
    ['62c3bc', 'ü'],
    ['8301820203820405', [1, [2, 3], [4, 5]]],
    [
      'a201020304',
      new Map([
        [1, 2],
        [3, 4],
      ]),
    ],
    [
      'a26161016162820203',
      new Map<string, unknown>([
        ['a', 1],
        ['b', [2, 3]],
      ]),
    ],
  ])('parses the CBOR item %s completely', (hex, value) => {
    const read = isoCBOR.decodeFirst<unknown>(new Uint8Array(Buffer.from(hex, 'hex')));
    expect(read instanceof Uint8Array ? Buffer.from(read) : read).toEqual(value);
  });

  test('stops at the end of a CBOR item, since authenticators append extensions to the key', () => {
    const read = isoCBOR.decodeFirst<unknown>(new Uint8Array(Buffer.from('a1010226', 'hex')));
    expect(read).toEqual(new Map([[1, 2]]));
  });

  test.each([
    ['nothing', ''],
    ['a truncated number', '19'],
    ['truncated bytes', '4401'],
    ['a truncated text', '6461'],
    ['a truncated list', '8301'],
    ['a truncated map', 'a201'],
    ['a length beyond the input', '5affffffff'],
    ['a list longer than the input', '9affffffff'],
    ['a length of eight bytes', '1b000000e8d4a51000'],
    ['an indefinite length', '5f42010243030405ff'],
    ['a fraction', 'f93c00'],
    ['a tag', 'c11a514b67b0'],
    ['undefined', 'f7'],
    ['a key that is a list', 'a1800a'],
    ['a key twice', 'a201020103'],
    ['five lists in each other', '818181818101'],
    ['ten thousand lists in each other', '81'.repeat(10_000)],
  ])('rejects CBOR with %s, in place of the response and of the key', async (_what, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(await verifyEnvelope(bytes)).toMatchObject({ ok: false });
    const made = softAuthenticator('user').create(expected, { key: bytes });
    expect(await verifyNewPasskey(newPasskeyAnswer.parse(made), expected)).toMatchObject({
      ok: false,
    });
  });

  test('rejects any garbage as CBOR without an error', async () => {
    await assert(
      asyncProperty(uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(await verifyEnvelope(Buffer.from(bytes))).toMatchObject({ ok: false });
      }),
      { numRuns: 2000 },
    );
  });

  function verifyEnvelope(bytes: Buffer) {
    const { id, response } = softAuthenticator('user').create(expected);
    const attestationObject = bytes.toString('base64url');
    return verifyNewPasskey(
      { id, type: 'public-key' as const, response: { ...response, attestationObject } },
      expected,
    );
  }
});

describe('a key that the library would accept', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({
    format: 'jwk',
  });
  const bytes = (text = '') => new Uint8Array(Buffer.from(text, 'base64url'));
  const point = new Uint8Array(32).fill(7);
  test.each<[string, [number, number | Uint8Array<ArrayBuffer>][]]>([
    [
      'an RSA key that is too short',
      [
        [1, 3],
        [3, -257],
        [-1, bytes(rsa.n)],
        [-2, bytes(rsa.e)],
      ],
    ],
    [
      'a point off its curve',
      [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point],
        [-3, point],
      ],
    ],
    [
      'a point of another curve',
      [
        [1, 2],
        [3, -7],
        [-1, 2],
        [-2, point],
        [-3, point],
      ],
    ],
  ])('rejects as a passkey %s, although the library would accept it', async (_what, parts) => {
    const key = Buffer.from(isoCBOR.encode(new Map(parts)));
    const made = newPasskeyAnswer.parse(softAuthenticator('user').create(expected, { key }));
    const verified = await verifyNewPasskey(made, expected);
    expect(verified.ok).toBe(false);
  });
});

describe.each(['ES256', 'RS256', 'EdDSA'] as const)('a key for %s', (algorithm) => {
  test('stores a passkey key as SubjectPublicKeyInfo, like earlier keys, and can use it', async () => {
    const device = softAuthenticator('user', { algorithm });
    const made = newPasskeyAnswer.parse(device.create(expected));
    const verified = await verifyNewPasskey(made, expected);
    if (!verified.ok) throw new Error(verified.reason);
    const { passkey } = verified;
    const kept = createPublicKey({ key: passkey.publicKey, format: 'der', type: 'spki' });
    expect(kept.type).toBe('public');
    const used = (changed = {}) =>
      verifyPasskeyUse(passkeyAnswer.parse(device.get(expected, changed)), passkey, expected);
    expect(await used({ counter: 7 })).toEqual({ ok: true, counter: 7 });
    expect(await used({ signWithOther: true })).toMatchObject({ ok: false });
  });
});
