import { createHash } from 'node:crypto';

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

export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
