import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Algorithm = 'ES256' | 'RS256' | 'EdDSA';
const numbers: Record<Algorithm, number> = { ES256: -7, RS256: -257, EdDSA: -8 };

interface Ceremony {
  challenge: string;
  origin: string;
}

/** Deviations from the correct behavior, for tests. */
interface Changes {
  challenge?: string;
  origin?: string;
  crossOrigin?: boolean;
  type?: string;
  rpId?: string;
  flags?: number;
  counter?: number;
  id?: string;
}

/**
 * An authenticator with one passkey in memory, as specified by WebAuthn. Provides no attestation.
 */
export function softAuthenticator(
  userId: string,
  { algorithm = 'ES256' }: { algorithm?: Algorithm } = {},
) {
  const rawId = randomBytes(32);
  const id = rawId.toString('base64url');
  const { publicKey, privateKey } = makeKeys(algorithm);
  return {
    id,
    create(ceremony: Ceremony, changed: Changes & { algorithm?: number; key?: Buffer } = {}) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const data = authenticatorData(ceremony, { flags: 0x45, ...changed });
      const key = changed.key ?? coseKey(publicKey, changed.algorithm ?? numbers[algorithm]);
      const credential = Buffer.concat([Buffer.alloc(16), length, rawId, key]);
      const authData = Buffer.concat([data, credential]);
      return {
        id: changed.id ?? id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData(ceremony, 'webauthn.create', changed).toString('base64url'),
          attestationObject: Buffer.concat([
            Buffer.from([0xa3]), // a map with three entries
            cborText('fmt'),
            cborText('none'),
            cborText('attStmt'),
            Buffer.from([0xa0]),
            cborText('authData'),
            cborBytes(authData),
          ]).toString('base64url'),
        },
      };
    },
    get(ceremony: Ceremony, changed: Changes & { userId?: string; signWithOther?: boolean } = {}) {
      const json = clientData(ceremony, 'webauthn.get', changed);
      const data = authenticatorData(ceremony, { flags: 0x05, ...changed });
      const key = changed.signWithOther ? makeKeys(algorithm).privateKey : privateKey;
      const signed = Buffer.concat([data, sha256(json)]);
      return {
        id: changed.id ?? id,
        type: 'public-key',
        response: {
          clientDataJSON: json.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign(algorithm === 'EdDSA' ? null : 'sha256', signed, key).toString(
            'base64url',
          ),
          userHandle: Buffer.from(changed.userId ?? userId).toString('base64url'),
        },
      };
    },
  };
}

export type Soft = ReturnType<typeof softAuthenticator>;

function makeKeys(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519');
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** The key in the format of RFC 9052, encoded in CBOR. */
function coseKey(publicKey: KeyObject, algorithm: number): Buffer {
  const jwk = publicKey.export({ format: 'jwk' });
  const part = (name: 'x' | 'y' | 'n' | 'e') =>
    cborBytes(Buffer.from(jwk[name] ?? '', 'base64url'));
  const parts: Record<string, [number, Buffer][]> = {
    OKP: [
      [1, cborInt(1)],
      [3, cborInt(algorithm)],
      [-1, cborInt(6)],
      [-2, part('x')],
    ],
    EC: [
      [1, cborInt(2)],
      [3, cborInt(algorithm)],
      [-1, cborInt(1)],
      [-2, part('x')],
      [-3, part('y')],
    ],
    RSA: [
      [1, cborInt(3)],
      [3, cborInt(algorithm)],
      [-1, part('n')],
      [-2, part('e')],
    ],
  };
  const own = parts[jwk.kty ?? ''] ?? [];
  return Buffer.concat([
    Buffer.from([0xa0 + own.length]),
    ...own.flatMap(([name, value]) => [cborInt(name), value]),
  ]);
}

function cborInt(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
}

function cborHead(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size]);
  if (size < 256) return Buffer.from([(kind << 5) | 24, size]);
  return Buffer.from([(kind << 5) | 25, size >> 8, size & 0xff]);
}

function clientData({ challenge, origin }: Ceremony, type: string, changed: Changes): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: changed.type ?? type,
      challenge: changed.challenge ?? challenge,
      origin: changed.origin ?? origin,
      crossOrigin: changed.crossOrigin ?? false,
    }),
  );
}

function authenticatorData({ origin }: Ceremony, changed: Changes & { flags: number }): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(changed.counter ?? 0);
  return Buffer.concat([
    sha256(Buffer.from(changed.rpId ?? new URL(origin).hostname)),
    Buffer.from([changed.flags]),
    counter,
  ]);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
