import { accountMessages } from '../account-messages.ts';

/**
 * Wrappers of `navigator.credentials` that take and return JSON. Not every browser offers these
 * conversions.
 */

/** Returns the message for a failed prompt. Browsers throw a DOMException when the user cancels. */
export function passkeyProblem(failure: unknown): string {
  const isCancelled = failure instanceof DOMException;
  return isCancelled ? accountMessages.passkeyCancelled : accountMessages.failed;
}

export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/** Shows elements marked with `data-needs-passkeys` in browsers with passkeys. */
export function showPasskeys(): void {
  if (knowsPasskeys()) document.documentElement.dataset['passkeys'] = '';
}

/** Creates a passkey on this device. Throws the browser's error, even when the user cancels. */
export async function createPasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<string> {
  const publicKey = {
    ...(options as object as PublicKeyCredentialCreationOptions),
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: withBytes(options.excludeCredentials),
  };
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  return answerOf(made, { clientDataJSON, attestationObject });
}

/** Signs with a passkey that the user chooses; `confirm` allows only the signed-in user's. */
export async function signWithPasskey(purpose: 'sign-in' | 'confirm'): Promise<string> {
  const answer = await fetch(`/api/passkeys/challenge?purpose=${purpose}`, { method: 'POST' });
  if (!answer.ok) throw new Error(answer.statusText);
  const options = (await answer.json()) as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = {
    ...(options as object as PublicKeyCredentialRequestOptions),
    challenge: toBytes(options.challenge),
    allowCredentials: withBytes(options.allowCredentials),
  };
  const used = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    used.response as AuthenticatorAssertionResponse;
  return answerOf(used, { clientDataJSON, authenticatorData, signature, userHandle });
}

function withBytes(keys: PublicKeyCredentialDescriptorJSON[] = []) {
  return keys.map(({ id }) => ({ type: 'public-key' as const, id: toBytes(id) }));
}

function answerOf(
  { id, type }: PublicKeyCredential,
  parts: Record<string, ArrayBuffer | null>,
): string {
  const response = Object.entries(parts).map(([name, part]) => [name, part ? toText(part) : '']);
  return JSON.stringify({ id, type, response: Object.fromEntries(response) });
}

function toText(buffer: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCodePoint(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.codePointAt(0) ?? 0);
}
