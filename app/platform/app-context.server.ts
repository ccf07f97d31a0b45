import { createContext, RouterContextProvider } from 'react-router';
import type { Db } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import type { Env } from '#app/platform/env.server.ts';
import type { Log } from '#app/platform/log.server.ts';

/** The outside world as the application sees it; tests pass their own. */
export interface AppServices {
  db: Db;
  /** The primary, for the few writes of a visitor's reading if `db` is a standby. */
  primary?: Db;
  env: Env;
  log: Log;
  now(): Date;
  /** Caches values for signed-out visitors. Without it, each value is read on every request. */
  keep?: KeepValue | undefined;
  /** Replaces the rights of a role in tests. */
  rightsOfRole?(role: Role): ReadonlySet<string>;
}

/**
 * Returns the value of `read`, or the cached one under this name if no change to one of its `tags`
 * was announced since. Tags are those of pages. Callers must not mutate the value.
 */
export type KeepValue = <Value>(
  name: string,
  tags: readonly string[],
  read: () => Promise<Value>,
) => Promise<Value>;

/** Everything the server knows about a request before the router sees it. */
export interface RequestFacts {
  /** Quoted on error pages and in every log line of this request. */
  id: string;
  /** For inline scripts of this response; empty if the page is rendered for the shared cache. */
  nonce: string;
  /** True for a render whose result all anonymous visitors share: it must show nothing personal. */
  isForCache: boolean;
  /** True if a standby of the database may serve this request. */
  mayUseStandby?: boolean;
  /** The visitor's address: the peer's, or the forwarded one behind a trusted proxy. */
  address: string;
  /** For users who bypass the gate: why, if the settings ask to show it. */
  gateNote: string | null;
}

/** How long a page may be shared, and the tags whose change invalidates it. */
export interface CachePolicy {
  seconds: number;
  tags: string[];
  /**
   * The time at which the page becomes wrong, such as the end of a deal on it. Without it, only a
   * change invalidates the page.
   */
  until?: Date | null;
}

const servicesContext = createContext<AppServices>();
const factsContext = createContext<RequestFacts>();
const policyContext = createContext<CachePolicy | null>(null);

type ReadableContext = Readonly<Pick<RouterContextProvider, 'get'>>;

/**
 * Called by the server for each request. `entry.server.tsx` exports it, since bundles have contexts
 * of their own.
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

/** Caches a rarely changing value, if this request may have one that was read before. */
export function cacheValue<Value>(
  { keep }: Pick<AppServices, 'keep'>,
  name: string,
  tags: readonly string[],
  read: () => Promise<Value>,
): Promise<Value> {
  return keep ? keep(name, tags, read) : read();
}

/**
 * From here on this request reads everything from the database: a signed-in user may have just
 * changed it.
 */
export function forgetKeptValues(context: Readonly<RouterContextProvider>): void {
  context.set(servicesContext, { ...appServices(context), keep: undefined });
}

export function requestFacts(context: ReadableContext): RequestFacts {
  return context.get(factsContext);
}

/**
 * For a loader whose page shows nothing personal. `tags` name what the page shows: `deal:12`,
 * `blog`, `deals` (counts of the whole site), and the dependencies of a list (`listTags`).
 */
export function allowPageCache(
  context: Readonly<RouterContextProvider>,
  tags: string[],
  until: Date | null = null,
): void {
  context.set(policyContext, { seconds: 60, tags, until });
}

/**
 * The policy that a loader of this request declared, or null. The server reads it after the render.
 */
export function readCachePolicy(context: ReadableContext): CachePolicy | null {
  return context.get(policyContext);
}
