import { openSealedSecret, sealSecret } from '#app/platform/sealed-secret.server.ts';
import type { Db } from '#database/connect.ts';
import type { SecretKind } from '#database/schema/feed-tables.ts';
import type { FeedSourceInput } from './feed-source-input.ts';
import { isSameServer } from './source-address.ts';
import type { FeedSourceRow } from './feed-source-queries.server.ts';

/** The credentials for a feed's server, which are never logged, shown or returned by the API. */
export interface FeedSignIn {
  user: string | null;
  kind: SecretKind | null;
  secret: string;
}

/** The form fields whose values must not be shown again. */
export const secretFields = ['password', 'token', 'private_key'] as const;

type Given = Pick<FeedSourceInput, 'user_name' | SecretKind>;

/** Returns the credentials that were entered, or `null` if there are none. */
export function typedSignIn(input: Given): FeedSignIn | null {
  const { user_name: user } = input;
  for (const kind of secretFields) {
    const secret = input[kind];
    if (secret !== null) return { user, kind, secret };
  }
  return user === null ? null : { user, kind: null, secret: '' };
}

/** Returns the stored credentials of a source. */
export async function storedSignIn(
  db: Db,
  source: Pick<FeedSourceRow, 'id' | 'user_name' | 'secret_kind' | 'sealed_secret'>,
): Promise<FeedSignIn | null> {
  const { id, user_name: user, secret_kind: kind, sealed_secret: sealed } = source;
  if (sealed === null) return user === null ? null : { user, kind: null, secret: '' };
  const secret = await openSealedSecret(db, sealedFor(id), sealed);
  return { user, kind, secret: secret.toString('utf8') };
}

/** Encrypts the credentials for the columns of this source. */
export async function sealSignIn(db: Db, sourceId: number, signIn: FeedSignIn) {
  const { user, kind, secret } = signIn;
  return {
    user_name: user,
    secret_kind: kind,
    sealed_secret:
      kind === null ? null : await sealSecret(db, sealedFor(sourceId), Buffer.from(secret, 'utf8')),
  };
}

/** Whether the stored secret would be sent to a server other than the one it was entered for. */
export function mustTypeAgain(
  source: Pick<FeedSourceRow, 'location' | 'secret_kind'>,
  input: FeedSourceInput,
): boolean {
  const isTyped = secretFields.some((name) => input[name] !== null);
  const isKept = source.secret_kind !== null && !isTyped && !input.forgets_sign_in;
  return isKept && !isSameServer(source.location, input.location);
}

export const noSignIn = { user_name: null, secret_kind: null, sealed_secret: null };

function sealedFor(sourceId: number) {
  return { purpose: 'feed sign-ins', owner: String(sourceId) } as const;
}

/** Returns the HTTP headers for these credentials. */
export function signInHeaders(signIn: FeedSignIn | null): Record<string, string> {
  if (signIn === null) return {};
  if (signIn.kind === 'token') return { authorization: `Bearer ${signIn.secret}` };
  const pair = Buffer.from(`${signIn.user ?? ''}:${signIn.secret}`, 'utf8').toString('base64');
  return { authorization: `Basic ${pair}` };
}
