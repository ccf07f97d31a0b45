import { createContext, RouterContextProvider } from 'react-router';
import type { Db } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import type { Env } from '#app/platform/env.server.ts';
import type { Log } from '#app/platform/log.server.ts';

/** The outside world as the application sees it; tests pass their own. */
export interface AppServices {
  db: Db;
  /** What little a visitor's reading writes goes here, where `db` is a standby. */
  primary?: Db;
  env: Env;
  log: Log;
  now(): Date;
  /** What remembers values for those who are signed out; without it each is read when it is asked for. */
  keep?: KeepValue | undefined;
  /** What a role may do, where it is not as the policy says: for tests. */
  rightsOfRole?(role: Role): ReadonlySet<string>;
}

/**
 * What `read` answers, or what it answered under this name a short while ago: no change was announced since then with one of
 * the `tags`, which are those of pages (decision 042). Nobody may change such a value.
 */
export type KeepValue = <Value>(
  name: string,
  tags: readonly string[],
  read: () => Promise<Value>,
) => Promise<Value>;

/** What the server knows of one request before the router sees it. */
export interface RequestFacts {
  /** Quoted on error pages and in every log line of this request. */
  id: string;
  /** For inline scripts of this answer; empty when the page is rendered for the shared cache. */
  nonce: string;
  /** True for a render whose result all anonymous visitors share: it must show nothing personal. */
  isForCache: boolean;
  /** Whoever reads like anybody else may be answered by a standby of the database. */
  mayUseStandby?: boolean;
  /** The visitor's address: the peer's, or the forwarded one behind a trusted proxy. */
  address: string;
  /** For whoever is let in while others are not: why, where the settings want it shown. */
  gateNote: string | null;
}

/** How long a page may be shared, and the tags whose change empties it. */
export interface CachePolicy {
  seconds: number;
  tags: string[];
  /** From then on the page is wrong, such as when a deal on it ends; without it only a change makes it so. */
  until?: Date | null;
}

const servicesContext = createContext<AppServices>();
const factsContext = createContext<RequestFacts>();
const policyContext = createContext<CachePolicy | null>(null);

type ReadableContext = Readonly<Pick<RouterContextProvider, 'get'>>;

/** Made by the server for each request; `entry.server.tsx` hands it out, since bundles have contexts of their own. */
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

/** Keeps a value that hardly changes, where this request may have one that was read before. */
export function keepValue<Value>(
  { keep }: Pick<AppServices, 'keep'>,
  name: string,
  tags: readonly string[],
  read: () => Promise<Value>,
): Promise<Value> {
  return keep ? keep(name, tags, read) : read();
}

/** From here on this request reads all from the database: whoever is signed in may have changed it a moment ago. */
export function forgetKeptValues(context: Readonly<RouterContextProvider>): void {
  context.set(servicesContext, { ...appServices(context), keep: undefined });
}

export function requestFacts(context: ReadableContext): RequestFacts {
  return context.get(factsContext);
}

/**
 * For a loader whose page shows nothing personal. `tags` name what it shows: `deal:12`, `blog`, `deals` (what is counted of
 * the whole site), and what else a list depends on (`listTags`).
 */
export function allowPageCache(
  context: Readonly<RouterContextProvider>,
  tags: string[],
  until: Date | null = null,
): void {
  context.set(policyContext, { seconds: 60, tags, until });
}

/** The policy a loader of this request declared, or null. Read by the server after the render. */
export function readCachePolicy(context: ReadableContext): CachePolicy | null {
  return context.get(policyContext);
}
