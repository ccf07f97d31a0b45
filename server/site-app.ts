import type { createRequestHandler, RouterContextProvider, ServerBuild } from 'react-router';
import type { CachedPage } from '#app/platform/page-cache-rules.ts';
import type { MailKind } from '#app/platform/mail/mail-kind.server.ts';
import type { Job } from '#app/platform/run-jobs.server.ts';
import type { Db } from '#database/connect.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import type { AppServices, CachePolicy, RequestFacts } from '#app/platform/app-context.server.ts';
import type { Standbys } from '#server/scale-out/scale-out.ts';

/** The exports of `app/entry.server.tsx`, as the server sees them. */
interface SiteEntry {
  jobs: readonly Job[];
  mails: Readonly<Record<string, MailKind>>;
  cachedPages: readonly CachedPage[];
  /** The inline scripts of visitor pages, which are the same on every page. */
  fixedScripts?: readonly string[];
  flushClicks(db: Db): Promise<void>;
  catchFailedActs(routes: ServerBuild['routes']): ServerBuild['routes'];
  createLoadContext(services: AppServices, facts: RequestFacts): RouterContextProvider;
  readCachePolicy(context: RouterContextProvider): CachePolicy | null;
}

export function entryOf({ entry }: ServerBuild): SiteEntry {
  return entry.module as unknown as SiteEntry;
}

export interface SiteAnswer {
  response: Response;
  /** The cache policy, if signed-out visitors may share the page. */
  policy: CachePolicy | null;
  /** The error of a loader, an action or a component, if it caused an error page. */
  error: unknown;
}

/** Renders a page: turns a web request into a web response. */
export type SiteApp = (request: Request, facts: RequestFacts) => Promise<SiteAnswer>;

/**
 * Creates the application. `build` is the bundle, or in development, a function that reloads it.
 * `createHandler` must come from the same module graph. If a standby fails, the primary takes over
 * without an error. If the primary is unreachable, a standby takes over where allowed.
 */
export function createSiteApp(
  build: ServerBuild | (() => Promise<ServerBuild>),
  createHandler: typeof createRequestHandler,
  services: AppServices,
  standbys: Standbys | null = null,
): SiteApp {
  const errors = new WeakMap<object, unknown>();
  const triedFirst = new WeakSet<object>();
  const noteErrors = (original: ServerBuild): ServerBuild => {
    const module = original.entry.module;
    const handleError: typeof module.handleError = (error, args) => {
      errors.set(args.context, error);
      if (!triedFirst.has(args.context)) module.handleError?.(error, args);
    };
    return { ...original, entry: { ...original.entry, module: { ...module, handleError } } };
  };
  const handler =
    typeof build === 'function'
      ? createHandler(async () => noteErrors(await build()), 'development')
      : createHandler(noteErrors(build), 'production');

  return async (request, facts) => {
    const bundle = typeof build === 'function' ? await build() : build;
    const site = entryOf(bundle);
    const answer = async (given: AppServices, isFirst: boolean): Promise<SiteAnswer> => {
      const context = site.createLoadContext(given, facts);
      if (isFirst) triedFirst.add(context);
      const response = await handler(request, context);
      return { response, policy: site.readCachePolicy(context), error: errors.get(context) };
    };
    if (!standbys || !facts.mayUseStandby) return answer(services, false);
    const first = standbys.choose();
    const read = await answer(first ? readingFrom(first, services, standbys) : services, !!first);
    if (read.error === undefined && read.response.status < 500) return read;
    const isAway = read.response.status === 503 || isDatabaseUnavailable(read.error);
    const isPrimaryAway = !first && isAway;
    const other = isPrimaryAway ? standbys.choose({ isPrimaryAway }) : null;
    if (!first && !other) return read;
    await read.response.body?.cancel();
    return answer(other ? readingFrom(other, services, standbys) : services, false);
  };
}

/**
 * Returns services that read from a standby. Values are cached only while the standby has every
 * announced change.
 */
function readingFrom(db: Db, services: AppServices, standbys: Standbys): AppServices {
  const { readCached } = services;
  const readIfFresh: AppServices['readCached'] =
    readCached &&
    ((name, tags, read) => (standbys.isUpToDate(db) ? readCached(name, tags, read) : read()));
  return { ...services, db, primary: services.db, readCached: readIfFresh };
}
