import { createHash } from 'node:crypto';
import { policyReportPath } from '#app/platform/policy-report-path.ts';

export type HeaderSet = Readonly<Record<string, string>>;

/**
 * The policy of every response that is not a page: it may load and run nothing, and may not be
 * framed.
 */
export const strictPolicy =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/**
 * The policy for our own scripts. A worker runs under the policy of its script, and a sandbox would
 * disable Web Crypto.
 */
export const scriptPolicy = strictPolicy.replace('; sandbox', '');

/**
 * The policy for the service worker, which forwards navigations to our own host and requests
 * nothing else.
 */
export const serviceWorkerPolicy = `${scriptPolicy}; connect-src 'self'`;

/** Returns the headers of every response, except the content policy. */
export function securityHeaders(origin: string): HeaderSet {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy':
      'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    ...(origin.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  };
}

/**
 * Returns a page's content policy. `scripts` are its inline scripts, by nonce or hash. Files come
 * from our own host, which serves no visitor uploads. Deals' pictures come from merchants until
 * they are copied. `outsideHosts` are those of a configured captcha.
 */
export function pagePolicy(
  scripts: readonly string[],
  styles: readonly string[] = [],
  outsideHosts: readonly string[] = [],
): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts, ...outsideHosts].join(' ')}`,
    `style-src ${["'self'", ...styles, ...outsideHosts].join(' ')}`,
    "img-src 'self' data: https:",
    "font-src 'self'",
    `connect-src ${["'self'", ...outsideHosts].join(' ')}`,
    `frame-src ${["'self'", ...outsideHosts].join(' ')}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}

export function noncePolicy(nonce: string, outsideHosts: readonly string[] = []): string {
  return pagePolicy([`'nonce-${nonce}'`], [], outsideHosts);
}

/**
 * Returns the content policy of visitor pages, whose inline scripts are the same on every page.
 */
export function visitorsPolicy(
  scripts: readonly string[],
  outsideHosts: readonly string[] = [],
): string {
  return pagePolicy(scripts.map(hashSource), [], outsideHosts);
}

/** The header with which the application marks a visitor page. The server removes it. */
export const visitorsPageFlag = 'x-visitors-page';

/** Makes browsers report violations, through a directive in the policy and a separate header. */
export interface PolicyReporting {
  ending: string;
  headers: HeaderSet;
}

export const noReporting: PolicyReporting = { ending: '', headers: {} };

/**
 * Returns both kinds of reporting, or only `report-uri` without https. Browsers that support
 * `report-to` would ignore `report-uri`, but report nothing without https.
 */
export function policyReporting(origin: string): PolicyReporting {
  const byUri = `; report-uri ${policyReportPath}`;
  if (!origin.startsWith('https:')) return { ending: byUri, headers: {} };
  const headers = { 'reporting-endpoints': `policy="${policyReportPath}"` };
  return { ending: `${byUri}; report-to policy`, headers };
}

export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
