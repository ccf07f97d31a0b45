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

/** One thing that a page wanted and its content policy stopped, without anything of the visitor. */
export interface PolicyReport {
  directive: string;
  /** The origin of what was stopped, its scheme where it has none, or the browser's word for it, such as `inline`. */
  blocked: string;
  /** Of the page, without its query. */
  path: string;
}

/** More at once is no browser. */
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

/** What was stopped on pages of `origin`; null for malformed text. Anybody can send one, so nothing else is kept. */
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
  const name = directive.trim().split(/\s/, 1)[0] ?? ''; // older browsers send the whole line of the policy
  if (page?.origin !== origin || !directives.has(name)) return [];
  return [{ directive: name, blocked: originOf(blocked ?? ''), path: pathWithoutIds(page) }];
}

/** Whole addresses can hold what the visitor typed or who they are. */
function originOf(blocked: string): string {
  if (blocked === '') return 'inline'; // what older browsers mean by nothing
  if (/^[a-z-]{1,30}$/.test(blocked)) return blocked;
  const url = URL.parse(blocked);
  if (url === null) return 'unreadable';
  const isNamed = url.origin !== 'null' && /^(?:https?|wss?):$/.test(url.protocol);
  // An extension's origin would tell which one the visitor has.
  return (isNamed ? url.origin : url.protocol).slice(0, longestOrigin);
}

function pathWithoutIds({ pathname }: URL): string {
  return pathname
    .replace(/^\/admin\/users\/[^/]+/, '/admin/users/*')
    .replace(/\/\d+(?=\/|$)/g, '/*')
    .slice(0, longestPath);
}
