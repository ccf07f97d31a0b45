import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Gate } from '#server/gate.ts';
import type { KnownTargets } from '#server/known-targets.ts';
import type { NormalisedPath } from '#server/normalise-path.ts';
import type { PageCache } from '#server/page-cache.ts';
import type { HeaderList, PolicyReporting } from '#server/security-headers.ts';
import type { SiteApp } from '#server/site-app.ts';
import type { StaticFiles } from '#server/static-files.ts';
import type { StoredAnswer } from '#server/stored-answer.ts';
import type { VisitorLimits } from '#server/visitor-limits.ts';
import type { Workload } from '#server/workload.ts';

/** What every step of every request knows: made once, when the server is. */
export interface Site {
  readonly services: AppServices;
  readonly app: SiteApp;
  readonly files: StaticFiles;
  readonly cache: PageCache<StoredAnswer> | null;
  readonly gate: Gate | undefined;
  readonly workload: Workload;
  readonly visitors: VisitorLimits;
  readonly targets: KnownTargets;
  readonly mediaFolder: string;
  /** The headers that every answer carries. */
  readonly base: HeaderList;
  /** Hosts that the pages' content policy lets in. */
  readonly outsideHosts: readonly string[];
  readonly reporting: PolicyReporting;
  readonly isBalancer: (request: IncomingMessage) => boolean;
  readonly addressOf: (request: IncomingMessage) => { address: string; isKnown: boolean };
  readonly developmentMiddleware: DevelopmentMiddleware | undefined;
  /** Milliseconds for a request (R24). */
  readonly requestTimeout: number;
  readonly isStopping: () => boolean;
}

export type DevelopmentMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

/** One request on its way through the steps. */
export interface Visit {
  readonly site: Site;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Quoted on error pages and in the log. */
  readonly id: string;
  readonly method: string;
  readonly target: NormalisedPath;
  /** Both empty while the target has no normal spelling; the first steps answer those. */
  readonly pathname: string;
  readonly search: string;
  /** The visitor's address; filled in by `limitVisitor`. */
  address: string;
  /** For whoever the gate let in, where they want to see it; filled in by `examineAtGate`. */
  gateNote: string | null;
}
