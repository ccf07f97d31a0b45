import { createContext, RouterContextProvider } from 'react-router';
import type { Db } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import type { Env } from '#app/platform/env.server.ts';
import type { Log } from '#app/platform/log.server.ts';

/** The services that the application uses. Tests pass their own. */
export interface AppServices {
  db: Db;
  /** The primary database, for the few writes of read requests if `db` is a standby. */
  primary?: Db;
  env: Env;
  log: Log;
  now(): Date;
  /** Caches values for everyone but staff. If absent, each value is read on every request. */
  readCached?: ReadCached | undefined;
  /** Replaces the rights of a role in tests. */
  rightsOfRole?(role: Role): ReadonlySet<string>;
}

/**
 * Returns the cached value under this name unless a change to one of its `tags` was announced.
 * Otherwise returns the value of `read`. The tags are the same as those of pages. Callers must not
 * mutate the value.
 */
export type ReadCached = <Value>(
  name: string,
  tags: readonly string[],
  read: () => Promise<Value>,
) => Promise<Value>;

/** The data about a request that the server collects before the router runs. */
export interface RequestFacts {
  /** The request id, quoted on error pages and in every log line of this request. */
  id: string;
  /**
   * The nonce for inline scripts of this response. Empty if the page is rendered for the shared
   * cache.
   */
  nonce: string;
  /**
   * Whether all anonymous visitors share the rendered page, which then must show nothing personal.
   */
  isForCache: boolean;
  /** True if a standby of the database may serve this request. */
  mayUseStandby?: boolean;
  /** The visitor's IP address: the peer's, or the forwarded one behind a trusted proxy. */
  address: string;
  /** The reason why a user bypasses the gate, if the settings show it. */
  gateNote: string | null;
}

/** The time for which a page may be shared, and the tags whose change invalidates it. */
export interface CachePolicy {
  seconds: number;
  tags: string[];
  /**
   * The time at which the page becomes outdated, such as when a deal on it ends. If absent, only a
   * change invalidates the page.
   */
  until?: Date | null;
}

const servicesContext = createContext<AppServices>();
const factsContext = createContext<RequestFacts>();
const policyContext = createContext<CachePolicy | null>(null);
const limitContext = createContext<Date | null>(null);

type ReadableContext = Readonly<Pick<RouterContextProvider, 'get'>>;

/**
 * Creates the router's context of a request. `entry.server.tsx` exports it, since each bundle has
 * separate contexts.
 */
export function createLoadContext(
  services: AppServices,
  facts: RequestFacts,
): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  context.set(factsContext, facts);
  return context;
}

export function appServices(context: ReadableContext): AppServices {
  return context.get(servicesContext);
}

/** Caches a rarely changing value, if this request may use an earlier value. */
export function cacheValue<Value>(
  { readCached }: Pick<AppServices, 'readCached'>,
  name: string,
  tags: readonly string[],
  read: () => Promise<Value>,
): Promise<Value> {
  return readCached ? readCached(name, tags, read) : read();
}

/**
 * Makes this request read everything from the database from now on, since a staff member may have
 * just changed something.
 */
export function bypassCachedValues(context: Readonly<RouterContextProvider>): void {
  context.set(servicesContext, { ...appServices(context), readCached: undefined });
}

export function requestFacts(context: ReadableContext): RequestFacts {
  return context.get(factsContext);
}

/**
 * Allows the cache to store the page. Call it in a loader whose page shows nothing personal. `tags`
 * name what the page shows: `deal:12`, `blog`, `deals` (counts of the whole site), and the
 * dependencies of a list (`listTags`).
 */
export function allowPageCache(
  context: Readonly<RouterContextProvider>,
  tags: string[],
  until: Date | null = null,
): void {
  context.set(policyContext, { seconds: 60, tags, until });
}

/**
 * Sets the time at which the page of this request becomes outdated, such as the end of an ad on
 * every page.
 */
export function limitPageCache(context: Readonly<RouterContextProvider>, until: Date): void {
  context.set(limitContext, until);
}

/**
 * Returns the policy that a loader of this request declared, or null. The server reads it after the
 * render.
 */
export function readCachePolicy(context: ReadableContext): CachePolicy | null {
  const policy = context.get(policyContext);
  const limit = context.get(limitContext);
  if (!policy || !limit || (policy.until && policy.until < limit)) return policy;
  return { ...policy, until: limit };
}
