import { createHash } from 'node:crypto';
import { policyReportPath } from '#app/platform/policy-report-path.ts';

/**
 * The headers of every answer (R18), as the flat list `writeHead` takes. A page's own content policy
 * replaces the strict one below.
 */
export type HeaderList = readonly string[];

/** For everything that is not a page: nothing may load, run or frame it. */
export const strictPolicy =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

const permissions = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** For our own scripts. A worker lives by the policy of its script, and a sandbox would take its cryptography away. */
export const scriptPolicy = strictPolicy.replace('; sandbox', '');

/** The service worker passes navigations on to our own host, and nothing else. */
export const serviceWorkerPolicy = `${scriptPolicy}; connect-src 'self'`;

/** Everything but the content policy. */
export function securityHeaders(origin: string): HeaderList {
  const headers = [
    'x-content-type-options',
    'nosniff',
    'referrer-policy',
    'strict-origin-when-cross-origin',
    'permissions-policy',
    permissions,
    'cross-origin-opener-policy',
    'same-origin',
    'cross-origin-resource-policy',
    'same-origin',
    'x-frame-options',
    'DENY',
  ];
  if (origin.startsWith('https:')) {
    headers.push('strict-transport-security', 'max-age=31536000; includeSubDomains');
  }
  return headers;
}

/**
 * The content policy of a page. `scripts` names its inline scripts, by nonce or by hash. Script files come from
 * our own host only, which serves no file a visitor gave. Pictures of deals lie at their merchants (`https:`).
 * `outsideHosts` are those of the captcha whose keys the operator set.
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

/** What makes a page's policy tell what it stopped: an end for the policy, and a header beside it. */
export interface PolicyReporting {
  ending: string;
  headers: HeaderList;
}

export const noReporting: PolicyReporting = { ending: '', headers: [] };

/**
 * Browsers that know `report-to` leave `report-uri` be. They take the name of the place over https only, so it is
 * named there alone: else they would report nothing.
 */
export function policyReporting(origin: string): PolicyReporting {
  const byUri = `; report-uri ${policyReportPath}`;
  if (!origin.startsWith('https:')) return { ending: byUri, headers: [] };
  return {
    ending: `${byUri}; report-to policy`,
    headers: ['reporting-endpoints', `policy="${policyReportPath}"`],
  };
}

export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
