import * as oauth from 'oauth4webapi';
import { Readable } from 'node:stream';
import { safeFetch } from '#app/platform/safe-fetch.server.ts';
import type { IdentityProvider } from './identity-providers.server.ts';

/** A visitor's identity according to a provider. */
export interface Identity {
  subject: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  /**
   * The time of the user's last sign-in at the provider. `null` if the provider does not report it.
   */
  signedInAt: Date | null;
}

/** The stored state of an attempt until the provider redirects the visitor back. */
export type Attempt = ReturnType<typeof newAttempt>;

export const newAttempt = () => ({
  state: oauth.generateRandomState(),
  verifier: oauth.generateRandomCodeVerifier(),
  nonce: oauth.generateRandomNonce(),
});

/** Returns the provider's sign-in address for the visitor. */
export async function addressAtProvider(
  provider: IdentityProvider,
  { state, verifier, nonce }: Attempt,
  { redirectUri, isAskedAgain }: { redirectUri: string; isAskedAgain: boolean },
): Promise<string> {
  const { authorization_endpoint: endpoint } = await describeServer(provider);
  if (!endpoint) throw new Error(`${provider.name} names no address to sign in at`);
  const url = new URL(endpoint);
  const isOwn = provider.kind.isOwnNetwork && url.protocol === 'http:';
  // The sign-in page opens this address as a link, so its scheme is checked.
  if (url.protocol !== 'https:' && !isOwn)
    throw new Error(`${provider.name} names a wrong address`);
  const parameters = {
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: provider.scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(provider.kind.protocol === 'oidc' && { nonce }),
    // `max_age` makes the provider ask for its password again. Some providers ignore it.
    ...(provider.kind.protocol === 'oidc' && isAskedAgain && { max_age: '0' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Exchanges the returned parameters for the visitor's identity. Returns `null` if the visitor
 * declined. Throws if issuer, audience, nonce or times are wrong. The signature need not be
 * checked, since the response comes from the provider over TLS (OpenID Connect Core 3.1.3.7).
 */
export async function readIdentity(
  provider: IdentityProvider,
  { state, verifier, nonce }: Attempt,
  query: URLSearchParams,
  redirectUri: string,
): Promise<Identity | null> {
  const { kind } = provider;
  const server = await describeServer(provider);
  const client = { client_id: provider.clientId };
  const brought = new URLSearchParams(query);
  // GitHub sends an undocumented issuer; our state is bound to the provider anyway.
  if (kind.protocol === 'github') brought.delete('iss');
  let parameters: URLSearchParams;
  try {
    parameters = oauth.validateAuthResponse(server, client, brought, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied') {
      return null;
    }
    throw error;
  }
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientAuth(server, provider),
    parameters,
    redirectUri,
    verifier,
    fetching(provider),
  );
  const expected = kind.protocol === 'oidc' ? { expectedNonce: nonce, requireIdToken: true } : {};
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, expected);
  if (kind.protocol === 'github') return readGitHubUser(provider, kind.api, tokens.access_token);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (!claims) throw new Error(`${provider.name} sent no id token`);
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '');
  return {
    subject: readSubject(claims.sub),
    email: text('email'),
    isEmailVerified: claims.email_verified === true,
    name: text('name'),
    signedInAt: claims.auth_time === undefined ? null : new Date(claims.auth_time * 1000),
  };
}

/** Returns the account's subject: at most 255 ASCII characters (OpenID Connect Core 2). */
function readSubject(subject: string): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(subject)) throw new Error('the provider names no user');
  return subject;
}

function clientAuth(server: oauth.AuthorizationServer, { clientSecret }: IdentityProvider) {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_post')
    ? oauth.ClientSecretPost(clientSecret)
    : oauth.ClientSecretBasic(clientSecret);
}

const described = new Map<string, { server: oauth.AuthorizationServer; until: number }>();
const describedForMs = 3_600_000;

async function describeServer(provider: IdentityProvider): Promise<oauth.AuthorizationServer> {
  const { kind } = provider;
  if (kind.protocol === 'github') {
    return {
      issuer: kind.site,
      authorization_endpoint: `${kind.site}/login/oauth/authorize`,
      token_endpoint: `${kind.site}/login/oauth/access_token`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    };
  }
  const known = described.get(kind.issuer);
  if (known && known.until > performance.now()) return known.server;
  const issuer = new URL(kind.issuer);
  const answer = await oauth.discoveryRequest(issuer, fetching(provider));
  const server = await oauth.processDiscoveryResponse(issuer, answer);
  described.set(kind.issuer, { server, until: performance.now() + describedForMs });
  return server;
}

async function readGitHubUser(
  provider: IdentityProvider,
  api: string,
  token: string,
): Promise<Identity> {
  const ask = async <T>(path: string): Promise<T> => {
    const address = new URL(`${api}${path}`);
    const answer = await oauth.protectedResourceRequest(
      token,
      'GET',
      address,
      undefined,
      undefined,
      fetching(provider),
    );
    return answer.json();
  };
  const user = await ask<{ id?: number; login: string; name: string | null }>('/user');
  const mails = await ask<{ email: string; primary: boolean; verified: boolean }[]>('/user/emails');
  const primary = mails.find((entry) => entry.primary);
  return {
    subject: readSubject(String(user.id ?? '')),
    email: primary?.email ?? '',
    isEmailVerified: primary?.verified === true,
    name: user.name ?? user.login,
    signedInAt: null,
  };
}

/**
 * Makes the library's requests use `safeFetch` like all others. An operator's own provider may be
 * in their network.
 */
function fetching({ kind }: IdentityProvider) {
  const ownHost = new URL(kind.protocol === 'oidc' ? kind.issuer : kind.site).host;
  return {
    [oauth.customFetch]: async (
      address: string,
      { body, headers }: { body?: unknown; headers: Record<string, string> },
    ): Promise<Response> => {
      const url = new URL(address);
      const answer = await safeFetch(address, {
        allowHosts: [url.hostname.replace(/^\[|\]$/g, '')],
        allowPrivate: kind.isOwnNetwork && url.host === ownHost,
        maxBytes: 256 * 1024,
        timeoutMs: 5000,
        headers,
        ...(body instanceof URLSearchParams && { body: body.toString() }),
      });
      const stream = Readable.toWeb(answer.body) as ReadableStream<Uint8Array>;
      return new Response(stream, { headers: { 'content-type': answer.contentType } });
    },
    // The settings allow http only for an issuer on this server.
    [oauth.allowInsecureRequests]: kind.isOwnNetwork,
  };
}
