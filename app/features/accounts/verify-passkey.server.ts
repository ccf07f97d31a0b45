import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import type { NewPasskeyAnswer, PasskeyAnswer } from './passkey-input.ts';
import { type Cbor, readCbor } from './read-cbor.server.ts';

/** What a passkey's answer must speak of: this site, and the challenge that was given out. */
export interface PasskeyExpectation {
  challenge: string;
  origin: string;
}

export type PasskeyRefusal =
  | 'client-data'
  | 'challenge'
  | 'origin'
  | 'relying-party'
  | 'user-not-verified'
  | 'credential'
  | 'key'
  | 'signature';

type Refused = { ok: false; reason: PasskeyRefusal };
const refused = (reason: PasskeyRefusal): Refused => ({ ok: false, reason });

export interface NewPasskey {
  id: string;
  publicKey: Buffer;
  algorithm: number;
  counter: number;
}

/** By the numbers of the COSE registry, the best first. */
export const passkeyAlgorithms = [-8, -7, -257] as const;

const flag = { userPresent: 0x01, userVerified: 0x04, hasCredential: 0x40 };

/** The name a browser binds a passkey to: the host of the site. */
export function relyingPartyId(origin: string): string {
  return new URL(origin).hostname;
}

/**
 * A new passkey, by WebAuthn level 3, 7.1. Attestation is not asked for, so nothing in the answer is signed: the key is
 * worth what the session is worth that it is added from.
 */
export function verifyNewPasskey(
  { id, response }: NewPasskeyAnswer,
  expected: PasskeyExpectation,
): Refused | { ok: true; passkey: NewPasskey } {
  const clientData = checkClientData(response.clientDataJSON, 'webauthn.create', expected);
  if (!clientData.ok) return clientData;
  const data = readAttestedData(response.attestationObject);
  if (!data) return refused('credential');
  const read = readAuthenticatorData(data, expected.origin);
  if (!read.ok) return read;
  if (read.credential?.id !== id) return refused('credential');
  const { key } = read.credential;
  if (!key || !readKey(key.spki, key.algorithm)) return refused('key');
  const { spki: publicKey, algorithm } = key;
  return { ok: true, passkey: { id, publicKey, algorithm, counter: read.counter } };
}

/** The use of a passkey, by 7.2: answers what the device counts. */
export function verifyPasskeyUse(
  { response }: PasskeyAnswer,
  passkey: { publicKey: Buffer; algorithm: number },
  expected: PasskeyExpectation,
): Refused | { ok: true; counter: number } {
  const clientData = checkClientData(response.clientDataJSON, 'webauthn.get', expected);
  if (!clientData.ok) return clientData;
  const read = readAuthenticatorData(
    Buffer.from(response.authenticatorData, 'base64url'),
    expected.origin,
  );
  if (!read.ok) return read;
  const key = readKey(passkey.publicKey, passkey.algorithm);
  if (!key) return refused('key');
  const signed = Buffer.concat([
    Buffer.from(response.authenticatorData, 'base64url'),
    sha256(Buffer.from(response.clientDataJSON, 'base64url')),
  ]);
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const isSigned = verify(digest, signed, key, Buffer.from(response.signature, 'base64url'));
  return isSigned ? { ok: true, counter: read.counter } : refused('signature');
}

/** The challenge an answer says it is for; whether it was given out is another question. */
export function challengeOf(clientDataJson: string): string | null {
  const challenge = readClientData(clientDataJson)?.challenge;
  return typeof challenge === 'string' ? challenge : null;
}

function readClientData(clientDataJson: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString());
    return typeof read === 'object' ? (read as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function checkClientData(
  clientDataJson: string,
  type: 'webauthn.create' | 'webauthn.get',
  expected: PasskeyExpectation,
): Refused | { ok: true } {
  const clientData = readClientData(clientDataJson);
  if (clientData?.type !== type) return refused('client-data');
  if (clientData.challenge !== expected.challenge) return refused('challenge');
  // A frame of ours in a page of somebody else is not a place to use a key.
  if (clientData.origin !== expected.origin || clientData.crossOrigin === true) {
    return refused('origin');
  }
  return { ok: true };
}

/** What the device wrote, out of the envelope it came in. Its statement is not looked at: none is asked for. */
function readAttestedData(attestationObject: string): Buffer | null {
  const envelope = tryCbor(Buffer.from(attestationObject, 'base64url'));
  const data = envelope instanceof Map ? envelope.get('authData') : null;
  return Buffer.isBuffer(data) ? data : null;
}

/** The fixed part is 37 bytes: hash of the site's name, flags, counter. A new credential follows it. */
function readAuthenticatorData(
  bytes: Buffer,
  origin: string,
): Refused | { ok: true; counter: number; credential: NewCredential | null } {
  if (bytes.length < 37) return refused('credential');
  if (!bytes.subarray(0, 32).equals(sha256(Buffer.from(relyingPartyId(origin))))) {
    return refused('relying-party');
  }
  const flags = bytes.readUInt8(32);
  const isVerified = flags & flag.userPresent && flags & flag.userVerified;
  if (!isVerified) return refused('user-not-verified');
  return { ok: true, counter: bytes.readUInt32BE(33), credential: readCredential(bytes) };
}

interface NewCredential {
  id: string;
  key: { spki: Buffer; algorithm: number } | null;
}

/** After the model of the device (16 bytes): the length of the id, the id, and the key by RFC 9052. */
function readCredential(bytes: Buffer): NewCredential | null {
  if (!(bytes.readUInt8(32) & flag.hasCredential) || bytes.length < 55) return null;
  const end = 55 + bytes.readUInt16BE(53);
  const id = bytes.subarray(55, end).toString('base64url');
  const key = tryCbor(bytes.subarray(end));
  return { id, key: key instanceof Map ? readCoseKey(key) : null };
}

/** The names of a COSE key's parts; what they mean hangs on its kind. */
const cose = { kind: 1, algorithm: 3, curve: -1, x: -2, y: -3, modulus: -1, exponent: -2 };

/** As SubjectPublicKeyInfo, which is how keys are kept here. */
function readCoseKey(cbor: Map<number | string, Cbor>): NewCredential['key'] {
  const algorithm = cbor.get(cose.algorithm);
  const part = (name: number) => {
    const bytes = cbor.get(name);
    return Buffer.isBuffer(bytes) ? bytes.toString('base64url') : '';
  };
  const [kind, curve] = [cbor.get(cose.kind), cbor.get(cose.curve)];
  let jwk: JsonWebKey | null = null;
  if (kind === 1 && curve === 6) jwk = { kty: 'OKP', crv: 'Ed25519', x: part(cose.x) };
  if (kind === 2 && curve === 1) {
    jwk = { kty: 'EC', crv: 'P-256', x: part(cose.x), y: part(cose.y) };
  }
  if (kind === 3) jwk = { kty: 'RSA', n: part(cose.modulus), e: part(cose.exponent) };
  if (!jwk || typeof algorithm !== 'number') return null;
  try {
    const spki = createPublicKey({ key: jwk, format: 'jwk' }).export({
      type: 'spki',
      format: 'der',
    });
    return { spki, algorithm };
  } catch {
    return null;
  }
}

function tryCbor(bytes: Buffer): Cbor {
  try {
    return readCbor(bytes).value;
  } catch {
    return null;
  }
}

/** Null for what is no key, or not the kind its number says. */
function readKey(publicKey: Buffer, algorithm: number): KeyObject | null {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const fits =
    (algorithm === -8 && type === 'ed25519') ||
    (algorithm === -7 && type === 'ec' && details?.namedCurve === 'prime256v1') ||
    (algorithm === -257 && type === 'rsa' && (details?.modulusLength ?? 0) >= 2048);
  return fits ? key : null;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
