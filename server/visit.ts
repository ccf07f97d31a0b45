import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { hcaptchaHosts } from '#app/platform/captcha/hcaptcha-hosts.ts';
import { type CachedPage, publicPaths } from '#app/platform/page-cache-rules.ts';
import { isPrefetch } from '#app/platform/is-prefetch.ts';
import type { MediaStore } from '#database/media-store.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { requestIds } from '#server/create-request-id.ts';
import { OtherBuilds } from '#server/build-files.ts';
import type { Gate } from '#server/gate.ts';
import { KnownTargets } from '#server/known-targets.ts';
import type { Metrics } from '#server/metrics.ts';
import { type NormalisedPath, normalisePath } from '#server/normalise-path.ts';
import type { PageCache } from '#server/page-cache.ts';
import { PrefetchLimit } from '#server/prefetch-limit.ts';
import { balancerRequest, visitorAddress } from '#server/request-origin.ts';
import {
  noReporting,
  policyReporting,
  securityHeaders,
  visitorsPolicy,
} from '#server/security-headers.ts';
import type { SiteApp } from '#server/site-app.ts';
import type { StoredAnswer } from '#server/stored-answer.ts';
import { VisitorLimits } from '#server/visitor-limits.ts';
import { Workload } from '#server/workload.ts';

export interface SiteOptions {
  services: AppServices;
  app: SiteApp;
  files: ReadonlyMap<string, StoredAnswer>;
  /** The page cache, or null to render every page for its visitor. */
  cache: PageCache<StoredAnswer> | null;
  /** The cacheable pages. */
  cachedPages: readonly CachedPage[];
  /** The inline scripts of visitor pages, which are the same on every page. */
  fixedScripts?: readonly string[];
  /** The gate in front of every page. If missing, all visitors are let in. */
  gate?: Gate;
  /** The picture store, if not the configured one. */
  media?: MediaStore;
  /** The scripts and stylesheets of other builds, if not from the database. */
  otherBuilds?: Pick<OtherBuilds, 'find'>;
  /** The rendering limits. If missing, only the number of pages is limited. */
  workload?: Workload;
  /** Vite's middleware in development, which handles its own requests and forwards the rest. */
  developmentMiddleware?: (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ) => void;
  /** The request metrics, or null if metrics are disabled. */
  metrics?: Metrics | null;
  /**
   * Returns true once the process is stopping. `/health/ready` then fails, so that load balancers
   * send no more visitors.
   */
  isStopping?: () => boolean;
}

export type Site = ReturnType<typeof openSite>;

/** Returns the context for all request steps. `requestTimeout` is in milliseconds. */
export function openSite(options: SiteOptions, requestTimeout: number) {
  const { env } = options.services;
  const outsideHosts = env.hcaptcha ? hcaptchaHosts : [];
  const base = securityHeaders(env.origin);
  const reporting = env.cspReports ? policyReporting(env.origin) : noReporting;
  return {
    workload: new Workload({ mostDelayMs: 0 }),
    media: openMedia(options.services),
    isStopping: () => false,
    ...options,
    requestTimeout,
    visitors: new VisitorLimits(options.services),
    prefetches: new PrefetchLimit(options.services),
    otherBuilds: options.otherBuilds ?? new OtherBuilds(options.services, base),
    targets: new KnownTargets(options.cachedPages),
    isPublic: publicPaths(options.cachedPages),
    /** Visitors who have just written must not read from a lagging standby. */
    hasStandbys: env.standbyUrls.length > 0,
    /** Shared caches may store shared pages, because they receive purges. */
    hasSharedCaches: env.sharedCaches.length > 0,
    /** The headers for every response. */
    base,
    /** Hosts that the pages' content policy allows. */
    outsideHosts,
    reporting,
    /** The content policy of every visitor page. */
    visitorsPolicy: visitorsPolicy(options.fixedScripts ?? [], outsideHosts) + reporting.ending,
    isBalancer: balancerRequest(env),
    idOf: requestIds(env.trustedProxies),
    addressOf: visitorAddress(env.trustedProxies),
  };
}

/** A request while its steps run. */
export interface Visit {
  readonly site: Site;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The request id, shown on error pages and in the log. */
  readonly id: string;
  readonly method: string;
  /** Whether the request is a prefetch. */
  readonly isPrefetch: boolean;
  readonly target: NormalisedPath;
  /**
   * The path and query. Both are empty for a non-canonical URL, unless `redirectToNormalPath` sets
   * them.
   */
  pathname: string;
  search: string;
  /** The visitor's IP address, set by `limitVisitor`. */
  address: string;
  /** The note for users who bypass the gate, if the settings ask for it, set by `examineAtGate`. */
  gateNote: string | null;
}

export function startVisit(site: Site, request: IncomingMessage, response: ServerResponse): Visit {
  const target = normalisePath(request.url ?? '');
  const { pathname, search } = target.ok ? target : { pathname: '', search: '' };
  const [id, method] = [site.idOf(request), request.method ?? ''];
  const purpose = String(request.headers['sec-purpose'] ?? '');
  const asked = { method, isPrefetch: isPrefetch(method, purpose) };
  const filledLater = { address: '', gateNote: null };
  return { site, request, response, id, ...asked, target, pathname, search, ...filledLater };
}
