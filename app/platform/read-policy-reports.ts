import { z } from 'zod';
import type { policyReportTypes } from '#app/platform/policy-report-path.ts';
import { parseJson } from '#app/platform/parse-json.ts';

const names = [
  'base-uri',
  'child-src',
  'connect-src',
  'default-src',
  'fenced-frame-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'worker-src',
];

/** One violation of a page's content policy, without any data of the visitor. */
export interface PolicyReport {
  directive: string;
  /**
   * The blocked origin, its scheme if it has no origin, or the browser's keyword, such as `inline`.
   */
  blocked: string;
  /** The path of the page, without its query. */
  path: string;
}

/** reports; browsers never send more at once */
const mostAtOnce = 20;
const longestPath = 200;
const longestOrigin = 100;

const byReportUri = z.object({
  'csp-report': z.object({
    'document-uri': z.string(),
    'effective-directive': z.string().optional(),
    'violated-directive': z.string().optional(),
    'blocked-uri': z.string().optional(),
  }),
});
const byReportTo = z.array(z.object({ type: z.string(), body: z.unknown() }));
const violation = z.object({
  documentURL: z.string(),
  effectiveDirective: z.string(),
  blockedURL: z.string().nullish(),
});

const directives = new Set(names);

/**
 * Parses violations on pages of `origin`. Returns null for malformed text. Other reports are
 * dropped, since anyone can send reports.
 */
export function readPolicyReports(
  text: string,
  type: (typeof policyReportTypes)[number],
  origin: string,
): PolicyReport[] | null {
  const value = parseJson(text);
  if (type === 'application/csp-report') {
    const parsed = byReportUri.safeParse(value);
    if (!parsed.success) return null;
    const report = parsed.data['csp-report'];
    const directive = report['effective-directive'] ?? report['violated-directive'] ?? '';
    return asReport(directive, report['blocked-uri'], report['document-uri'], origin);
  }
  const parsed = byReportTo.safeParse(value);
  if (!parsed.success) return null;
  return parsed.data.slice(0, mostAtOnce).flatMap(({ type: kind, body }) => {
    const told = kind === 'csp-violation' ? violation.safeParse(body) : null;
    if (!told?.success) return [];
    const { effectiveDirective, blockedURL, documentURL } = told.data;
    return asReport(effectiveDirective, blockedURL, documentURL, origin);
  });
}

function asReport(
  directive: string,
  blocked: string | null | undefined,
  documentAddress: string,
  origin: string,
): PolicyReport[] {
  const page = URL.parse(documentAddress);
  // Older browsers send the directive's whole line.
  const name = directive.trim().split(/\s/, 1)[0] ?? '';
  if (page?.origin !== origin || !directives.has(name)) return [];
  return [{ directive: name, blocked: originOf(blocked ?? ''), path: pathWithoutIds(page) }];
}

/** Returns the blocked origin, since full addresses may contain the visitor's input or identity. */
function originOf(blocked: string): string {
  if (blocked === '') return 'inline'; // Older browsers send an empty value for inline content.
  if (/^[a-z-]{1,30}$/.test(blocked)) return blocked;
  const url = URL.parse(blocked);
  if (url === null) return 'unreadable';
  const isNamed = url.origin !== 'null' && /^(?:https?|wss?):$/.test(url.protocol);
  // The origin of a browser extension would reveal which one the visitor has installed.
  return (isNamed ? url.origin : url.protocol).slice(0, longestOrigin);
}

function pathWithoutIds({ pathname }: URL): string {
  return pathname
    .replace(/^\/(admin\/users|lists)\/[^/]+/i, '/$1/*')
    .replace(/\/\d+(?=\/|$)/g, '/*')
    .slice(0, longestPath);
}
