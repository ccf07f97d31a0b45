import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Person {
  subject: string;
  email: string;
  isVerified: boolean;
  name?: string;
}

interface GivenCode {
  redirectUri: string;
  challenge: string;
  nonce: string | null;
}

export const testProviderKeys = { clientId: 'deal-hub', clientSecret: 'stand-in-secret' };

/**
 * A local provider that supports OpenID Connect and GitHub's protocol, for one user who always
 * consents. Checks everything that a real provider checks: client, redirect URI, PKCE, and that a
 * code is used only once.
 */
export async function startProvider() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, GivenCode>();
  const provider = {
    origin: '',
    person: { subject: 'p-1', email: 'ada@mail.example', isVerified: true } as Person,
    /** Overrides of the id token's claims, as from a misconfigured provider. */
    claims: {} as Record<string, unknown>,
    /** Overrides of the provider's discovery document. */
    description: {} as Record<string, unknown>,
    /** The number of issued tokens. */
    tokens: 0,
    isDown: false,
    /** Returns the parameters that the user brings back from the provider. */
    agree(address: string): string {
      const query = new URL(address).searchParams;
      const code = randomBytes(16).toString('hex');
      codes.set(code, {
        redirectUri: query.get('redirect_uri') ?? '',
        challenge: query.get('code_challenge') ?? '',
        nonce: query.get('nonce'),
      });
      const back = new URL(query.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
      return back.pathname + back.search;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  provider.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', provider.origin);
    if (provider.isDown) return send(response, 503, {});
    if (pathname === '/.well-known/openid-configuration') return send(response, 200, description());
    if (pathname === '/authorize' || pathname === '/login/oauth/authorize') {
      const back = provider.agree(request.url ? provider.origin + request.url : '');
      const { origin } = new URL(searchParams.get('redirect_uri') ?? '');
      response.writeHead(302, { location: origin + back }).end();
      return;
    }
    if (pathname === '/token' || pathname === '/login/oauth/access_token') {
      return giveTokens(new URLSearchParams(await text(request)), response);
    }
    if (request.headers.authorization !== 'Bearer stand-in-token') return send(response, 401, {});
    const { subject, email, isVerified, name } = provider.person;
    if (pathname === '/user') return send(response, 200, { id: subject, login: 'ada', name });
    if (pathname === '/user/emails') {
      const other = { email: 'old@mail.example', primary: false, verified: true };
      return send(response, 200, [other, { email, primary: true, verified: isVerified }]);
    }
    return send(response, 404, {});
  }

  function description() {
    return {
      issuer: provider.origin,
      authorization_endpoint: `${provider.origin}/authorize`,
      token_endpoint: `${provider.origin}/token`,
      jwks_uri: `${provider.origin}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      ...provider.description,
    };
  }

  function giveTokens(form: URLSearchParams, response: ServerResponse): void {
    const code = form.get('code') ?? '';
    const given = codes.get(code);
    codes.delete(code);
    const verifier = form.get('code_verifier') ?? '';
    const isRight =
      given !== undefined &&
      form.get('client_id') === testProviderKeys.clientId &&
      form.get('client_secret') === testProviderKeys.clientSecret &&
      form.get('redirect_uri') === given.redirectUri &&
      createHash('sha256').update(verifier).digest('base64url') === given.challenge;
    if (!isRight) return send(response, 400, { error: 'invalid_grant' });
    provider.tokens += 1;
    return send(response, 200, {
      access_token: 'stand-in-token',
      token_type: 'bearer',
      ...(given.nonce && { id_token: idToken(given.nonce) }),
    });
  }

  function idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const { subject, email, isVerified, name } = provider.person;
    const claims = {
      iss: provider.origin,
      aud: testProviderKeys.clientId,
      sub: subject,
      iat: now,
      exp: now + 300,
      nonce,
      email,
      email_verified: isVerified,
      name,
      ...provider.claims,
    };
    const body = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
    return `${body}.${sign('sha256', Buffer.from(body), privateKey).toString('base64url')}`;
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
