import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { errorMessage } from '#database/error-code.ts';
import type { NewPasskeyAnswer, PasskeyAnswer } from './passkey-input.ts';

/** The values that a valid response must contain: the site, and the issued challenge. */
export interface PasskeyExpectation {
  challenge: string;
  origin: string;
}

/** `reason` is logged and never shown. */
type Refused = { ok: false; reason: string };
const refused = (reason: string): Refused => ({ ok: false, reason });

export interface NewPasskey {
  id: string;
  /** SubjectPublicKeyInfo in DER. */
  publicKey: Buffer;
  algorithm: number;
  counter: number;
}

/** COSE algorithm numbers, best first. */
export const passkeyAlgorithms = [-8, -7, -257] as const;

/** Returns the site's host name, to which a browser binds a passkey. */
export function relyingPartyId(origin: string): string {
  return new URL(origin).hostname;
}

/**
 * Verifies a new passkey by WebAuthn level 3, 7.1. No attestation is requested, so the response
 * need not be signed. The key is as trusted as the session that adds it.
 */
export function verifyNewPasskey(
  { id, type, response }: NewPasskeyAnswer,
  expected: PasskeyExpectation,
): Promise<Refused | { ok: true; passkey: NewPasskey }> {
  return refuseErrors(async () => {
    if (isFramed(response.clientDataJSON)) return refused('a frame of another site');
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expectations(expected),
      response: { id, rawId: id, type, response, clientExtensionResults: {} },
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    });
    const credential = registrationInfo?.credential;
    if (credential?.id !== id) return refused('another credential');
    const { publicKey, algorithm } = await readCoseKey(credential.publicKey);
    if (!readKey(publicKey, algorithm)) return refused('not the kind of key that its header names');
    return { ok: true, passkey: { id, publicKey, algorithm, counter: credential.counter } };
  });
}

/** Verifies the use of a passkey by WebAuthn level 3, 7.2. Returns the device's counter. */
export function verifyPasskeyUse(
  { id, type, response }: PasskeyAnswer,
  passkey: { publicKey: Buffer; algorithm: number },
  expected: PasskeyExpectation,
): Promise<Refused | { ok: true; counter: number }> {
  return refuseErrors(async () => {
    if (isFramed(response.clientDataJSON)) return refused('a frame of another site');
    const key = readKey(passkey.publicKey, passkey.algorithm);
    if (!key) return refused('not the kind of key that its header names');
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectations(expected),
      response: { id, rawId: id, type, response, clientExtensionResults: {} },
      // The counter is compared in the update that stores it, so that two parallel responses cannot
      // both pass.
      credential: { id, publicKey: await writeCoseKey(key, passkey.algorithm), counter: 0 },
    });
    return verified ? { ok: true, counter: authenticationInfo.newCounter } : refused('signature');
  });
}

function expectations({ challenge, origin }: PasskeyExpectation) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: relyingPartyId(origin),
    requireUserVerification: true,
  };
}

/**
 * Turns errors into refusals. The library throws on an invalid response, with a message that may
 * quote it at length.
 */
async function refuseErrors<Result>(verify: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await verify();
  } catch (error) {
    return refused(errorMessage(error).slice(0, 200));
  }
}

/** Returns the challenge that a response claims. The caller checks whether it was issued. */
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

/** Detects a response from a frame of another site, which the library would allow. */
function isFramed(clientDataJson: string): boolean {
  return readClientData(clientDataJson)?.crossOrigin === true;
}

/** The labels of a COSE key (RFC 9053). Their meaning depends on the key's type. */
const cose = { kind: 1, algorithm: 3, curve: -1, x: -2, y: -3, modulus: -1, exponent: -2 };
type CoseKey = Map<number, number | Uint8Array<ArrayBuffer>>;

/**
 * Converts a COSE key to SubjectPublicKeyInfo, the stored form. Throws if the bytes are not a key.
 */
async function readCoseKey(bytes: Uint8Array<ArrayBuffer>) {
  const { isoCBOR } = await import('@simplewebauthn/server/helpers');
  const key = isoCBOR.decodeFirst<CoseKey>(bytes);
  const part = (name: number) => {
    const value = key.get(name);
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : '';
  };
  const [kind, curve] = [key.get(cose.kind), key.get(cose.curve)];
  let jwk: JsonWebKey | null = null;
  if (kind === 1 && curve === 6) jwk = { kty: 'OKP', crv: 'Ed25519', x: part(cose.x) };
  if (kind === 2 && curve === 1) {
    jwk = { kty: 'EC', crv: 'P-256', x: part(cose.x), y: part(cose.y) };
  }
  if (kind === 3) jwk = { kty: 'RSA', n: part(cose.modulus), e: part(cose.exponent) };
  if (!jwk) throw new Error('a kind of key that was not asked for');
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    algorithm: Number(key.get(cose.algorithm)),
  };
}

async function writeCoseKey(key: KeyObject, algorithm: number) {
  const { isoCBOR } = await import('@simplewebauthn/server/helpers');
  const { kty, x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' });
  const part = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  const parts: Record<string, Record<number, number | Uint8Array<ArrayBuffer>>> = {
    OKP: { [cose.kind]: 1, [cose.curve]: 6, [cose.x]: part(x) },
    EC: { [cose.kind]: 2, [cose.curve]: 1, [cose.x]: part(x), [cose.y]: part(y) },
    RSA: { [cose.kind]: 3, [cose.modulus]: part(n), [cose.exponent]: part(e) },
  };
  const named = Object.entries({ ...parts[kty ?? ''], [cose.algorithm]: algorithm });
  return isoCBOR.encode(new Map(named.map(([name, value]) => [Number(name), value])));
}

/** Returns `null` if the bytes are not a key of the algorithm's type. */
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
