/** What the site asks of `navigator.credentials`, as text both ways: also for browsers that cannot turn it by themselves. */

export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/** Makes a passkey on this device. Throws what the browser throws, a cancelled prompt too. */
export async function createPasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<string> {
  const publicKey: PublicKeyCredentialCreationOptions =
    PublicKeyCredential.parseCreationOptionsFromJSON?.(options) ?? {
      ...(options as object as PublicKeyCredentialCreationOptions),
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user.id) },
      excludeCredentials: (options.excludeCredentials ?? []).map(({ id }) => ({
        type: 'public-key',
        id: toBytes(id),
      })),
    };
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = made.response as AuthenticatorAttestationResponse;
  return JSON.stringify({
    id: made.id,
    type: made.type,
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      attestationObject: toText(response.attestationObject),
    },
  });
}

/** Signs with a passkey of whoever is signed in, to show that it is them. */
export async function confirmWithPasskey(): Promise<string> {
  const answer = await fetch('/api/passkeys/challenge?purpose=confirm', { method: 'POST' });
  if (!answer.ok) throw new Error(answer.statusText);
  return signWithPasskey((await answer.json()) as PublicKeyCredentialRequestOptionsJSON);
}

/** Lets the user choose a passkey of this site and signs with it. */
export async function signWithPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<string> {
  const publicKey: PublicKeyCredentialRequestOptions =
    PublicKeyCredential.parseRequestOptionsFromJSON?.(options) ?? {
      ...(options as object as PublicKeyCredentialRequestOptions),
      challenge: toBytes(options.challenge),
      allowCredentials: (options.allowCredentials ?? []).map(({ id }) => ({
        type: 'public-key',
        id: toBytes(id),
      })),
    };
  const used = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const response = used.response as AuthenticatorAssertionResponse;
  return JSON.stringify({
    id: used.id,
    type: used.type,
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      userHandle: toText(response.userHandle ?? new ArrayBuffer()),
    },
  });
}

/** The name of what went wrong: of a prompt that was closed, `NotAllowedError`. */
export function nameOfProblem(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}

function toText(buffer: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCodePoint(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.codePointAt(0) ?? 0);
}
