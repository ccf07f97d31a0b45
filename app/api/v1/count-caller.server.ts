import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { hashToken } from '#app/features/accounts/hash-token.server.ts';
import { rightsHeldBy } from '#app/features/accounts/policy.ts';
import { rightsInForce } from '#app/features/public-api/api-key-rights.ts';
import { findApiKey, noteApiKeyUse } from '#app/features/public-api/api-key-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { type AttemptCount, countAttempt } from '#app/platform/rate-limit.server.ts';
import type { ApiKeyRight } from '#database/schema/program-tables.ts';

type CountedCaller =
  | {
      ok: true;
      headers: Record<string, string>;
      /** The IP address for rate limits. `null` for callers whose key has its own limits. */
      anonymousAddress: string | null;
      /** The key's rights. `null` without a key. */
      rights: ReadonlySet<ApiKeyRight> | null;
    }
  | { ok: false; status: 401 | 429; headers: Record<string, string> };

/**
 * Counts an API request towards the limit of its key, or of its IP address without a key. Invalid
 * keys are counted by IP address.
 */
export async function countCaller(
  services: AppServices,
  request: Request,
  address: string,
): Promise<CountedCaller> {
  const authorization = request.headers.get('authorization');
  if (authorization === null) return countAddress(services, address, null);
  const [, token] = /^Bearer +([\w-]{1,100})$/i.exec(authorization.trim()) ?? [];
  const key = token === undefined ? null : await findApiKey(services.db, hashToken(token));
  const rights =
    key && rightsInForce(key, (role) => rightsHeldBy({ ...key, role }, services.rightsOfRole));
  if (!key || !rights || rights.size === 0) {
    const counted = await countAddress(services, address, null);
    if (!counted.ok) return counted;
    const challenge = { 'www-authenticate': 'Bearer realm="api", error="invalid_token"' };
    return { ok: false, status: 401, headers: { ...counted.headers, ...challenge } };
  }
  if (!key.isUsedNow) await noteApiKeyUse(services.db, key.id);
  if (!rights.has('limits')) return countAddress(services, address, rights);
  const most = key.per_minute === null ? {} : { most: key.per_minute };
  const count = await countAttempt(services, 'api-key', String(key.id), most);
  return judge(count, 'key', { anonymousAddress: null, rights });
}

async function countAddress(
  services: AppServices,
  address: string,
  rights: ReadonlySet<ApiKeyRight> | null,
): Promise<CountedCaller> {
  const count = await countAttempt(services, 'api-address', address).catch((error: unknown) => {
    // While the primary is down, a standby responds but cannot count. The page limit still applies
    // to API clients.
    if (services.primary && isDatabaseUnavailable(error)) return null;
    throw error;
  });
  return judge(count, 'anonymous', { anonymousAddress: address, rights });
}

type Admitted = Extract<CountedCaller, { ok: true }>;

function judge(
  count: AttemptCount | null,
  policy: string,
  caller: Pick<Admitted, 'anonymousAddress' | 'rights'>,
): CountedCaller {
  if (count === null) return { ok: true, headers: {}, ...caller };
  const headers = limitHeaders(count, policy);
  if (count.ok) return { ok: true, headers, ...caller };
  const retryAfter = { 'retry-after': String(count.resetsInSeconds) };
  return { ok: false, status: 429, headers: { ...headers, ...retryAfter } };
}

/** Returns RateLimit header fields as in the IETF draft. */
function limitHeaders(count: AttemptCount, policy: string): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${count.most};w=${count.seconds}`,
    ratelimit: `"${policy}";r=${count.remaining};t=${count.resetsInSeconds}`,
  };
}
