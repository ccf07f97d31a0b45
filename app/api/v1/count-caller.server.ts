import { hashToken } from '#app/features/accounts/hash-token.server.ts';
import { findApiKey, noteApiKeyUse } from '#app/features/public-api/api-key-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { type AttemptCount, countAttempt } from '#app/platform/rate-limit.server.ts';

type CountedCaller =
  | { ok: true; headers: Record<string, string>; anonymousAddress: string | null }
  | { ok: false; status: 401 | 429; headers: Record<string, string> };

/**
 * Counts a request of the API: against the limit of its key, or of its address where it has none. Whoever tries keys
 * is counted by address.
 */
export async function countCaller(
  services: AppServices,
  request: Request,
  address: string,
): Promise<CountedCaller> {
  const authorization = request.headers.get('authorization');
  if (authorization === null) return countAddress(services, address);
  const [, token] = /^Bearer +([\w-]{1,100})$/i.exec(authorization.trim()) ?? [];
  const key = token === undefined ? null : await findApiKey(services.db, hashToken(token));
  if (!key) {
    const counted = await countAddress(services, address);
    if (!counted.ok) return counted;
    const challenge = { 'www-authenticate': 'Bearer realm="api", error="invalid_token"' };
    return { ok: false, status: 401, headers: { ...counted.headers, ...challenge } };
  }
  if (!key.isUsedNow) await noteApiKeyUse(services.db, key.id);
  const most = key.per_minute === null ? {} : { most: key.per_minute };
  return judge(await countAttempt(services, 'api-key', String(key.id), most), 'key', null);
}

async function countAddress(services: AppServices, address: string): Promise<CountedCaller> {
  return judge(await countAttempt(services, 'api-address', address), 'anonymous', address);
}

function judge(
  count: AttemptCount | null,
  policy: string,
  anonymousAddress: string | null,
): CountedCaller {
  if (count === null) return { ok: true, headers: {}, anonymousAddress };
  const headers = limitHeaders(count, policy);
  if (count.ok) return { ok: true, headers, anonymousAddress };
  const retryAfter = { 'retry-after': String(count.resetsInSeconds) };
  return { ok: false, status: 429, headers: { ...headers, ...retryAfter } };
}

/** As the IETF's draft of RateLimit header fields has them. */
function limitHeaders(count: AttemptCount, policy: string): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${count.most};w=${count.seconds}`,
    ratelimit: `"${policy}";r=${count.remaining};t=${count.resetsInSeconds}`,
  };
}
