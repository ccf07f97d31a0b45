import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { hcaptchaHosts } from '#app/platform/captcha/hcaptcha-hosts.ts';
import { type KeptPage, publicPaths } from '#app/platform/page-cache-rules.ts';
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
  /** Null: every page is rendered for its visitor. */
  cache: PageCache<StoredAnswer> | null;
  /** What the cache may hold. */
  keptPages: readonly KeptPage[];
  /** The inline scripts of visitors' pages, the same in each of them. */
  fixedScripts?: readonly string[];
  /** What stands before every page; without one everybody is let in. */
  gate?: Gate;
  /** Stored pictures, where they do not lie as the settings say. */
  media?: MediaStore;
  /** Scripts and sheets of other builds, where they do not lie in the database. */
  otherBuilds?: Pick<OtherBuilds, 'find'>;
  /** How many pages may be made; without one only their number is limited. */
  workload?: Workload;
  /** Vite's, in development: it takes what it knows and passes the rest on. */
  developmentMiddleware?: (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ) => void;
  /** What counts requests; without one nobody asks. */
  metrics?: Metrics | null;
  /** True once the process is to stop: `/health/ready` says so, and balancers send no more visitors. */
  isStopping?: () => boolean;
}

export type Site = ReturnType<typeof openSite>;

/** What every step of every request knows. `requestTimeout`: milliseconds for a request (R24). */
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
    targets: new KnownTargets(options.keptPages),
    isPublic: publicPaths(options.keptPages),
    /** Who has just written must not read what a standby does not know yet. */
    hasStandbys: env.standbyUrls.length > 0,
    /** They may keep what all visitors share, since they are told when it changes. */
    hasSharedCaches: env.sharedCaches.length > 0,
    /** The headers that every answer carries. */
    base,
    /** Hosts that the pages' content policy lets in. */
    outsideHosts,
    reporting,
    /** The content policy of every visitors' page. */
    visitorsPolicy: visitorsPolicy(options.fixedScripts ?? [], outsideHosts) + reporting.ending,
    isBalancer: balancerRequest(env),
    idOf: requestIds(env.trustedProxies),
    addressOf: visitorAddress(env.trustedProxies),
  };
}

/** One request on its way through the steps. */
export interface Visit {
  readonly site: Site;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Quoted on error pages and in the log. */
  readonly id: string;
  readonly method: string;
  /** The browser asks ahead of a visit. */
  readonly isPrefetch: boolean;
  readonly target: NormalisedPath;
  /** Both empty while the target has no normal spelling; the first steps answer those. */
  readonly pathname: string;
  readonly search: string;
  /** The visitor's address; filled in by `limitVisitor`. */
  address: string;
  /** For whoever the gate let in, where they want to see it; filled in by `examineAtGate`. */
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
