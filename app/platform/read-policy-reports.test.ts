import { describe, expect, it } from 'vitest';
import { readPolicyReports } from '#app/platform/read-policy-reports.ts';

const origin = 'https://deals.test';
const byUri = (report: object) =>
  readPolicyReports(JSON.stringify({ 'csp-report': report }), 'application/csp-report', origin);
const byReportTo = (...reports: object[]) =>
  readPolicyReports(JSON.stringify(reports), 'application/reports+json', origin);
const violation = (body: object = {}) => ({
  type: 'csp-violation',
  age: 12,
  url: `${origin}/deals?search=secret`,
  user_agent: 'Somebody/1.0',
  body: {
    documentURL: `${origin}/deals?search=secret#there`,
    effectiveDirective: 'script-src-elem',
    blockedURL: 'https://cdn.evil.example/x.js?who=me',
    originalPolicy: "default-src 'none'",
    sample: 'alert(1)',
    ...body,
  },
});
const found = {
  directive: 'script-src-elem',
  blocked: 'https://cdn.evil.example',
  path: '/deals',
};

// Proves R57: security.txt
describe('R57: a stored report of the content policy', () => {
  it('R57: stores the directive, the blocked origin and the path, from either format', () => {
    expect(byReportTo(violation())).toEqual([found]);
    expect(
      byUri({
        'document-uri': `${origin}/deals?search=secret`,
        referrer: 'https://elsewhere.example/who',
        'effective-directive': 'script-src-elem',
        'violated-directive': 'script-src-elem',
        'blocked-uri': 'https://cdn.evil.example/x.js?who=me',
        'script-sample': 'alert(1)',
      }),
    ).toEqual([found]);
  });

  it("R57: stores only the directive's name if an older browser sends the whole line", () => {
    const reports = byUri({
      'document-uri': `${origin}/faq`,
      'violated-directive': "img-src 'self' data: https:",
      'blocked-uri': 'http://pictures.example',
    });
    expect(reports).toEqual([
      { directive: 'img-src', blocked: 'http://pictures.example', path: '/faq' },
    ]);
  });

  it.each([
    ['inline', 'inline'],
    ['eval', 'eval'],
    ['wasm-eval', 'wasm-eval'],
    ['', 'inline'],
    [null, 'inline'],
    ['data', 'data'],
    ['data:text/html,<p>secret</p>', 'data:'],
    ['blob:https://deals.test/6f1d', 'blob:'],
    ['chrome-extension://abcdefgh/inject.js', 'chrome-extension:'],
    ['https://me:password@shop.example:8443/a?b', 'https://shop.example:8443'],
    ['wss://socket.example/a', 'wss://socket.example'],
    ['<script>alert(1)</script>', 'unreadable'],
    [`https://${'a'.repeat(300)}.example/`, `https://${'a'.repeat(92)}`],
  ])('R57: describes the blocked source, %s, as %s', (blockedURL, blocked) => {
    expect(byReportTo(violation({ blockedURL }))).toEqual([{ ...found, blocked }]);
  });

  it.each([
    ['/admin/users/uQ3xk9Zp/delete', '/admin/users/*/delete'],
    ['/admin/messages/412', '/admin/messages/*'],
    ['/lists/s3cret', '/lists/*'],
    ['/Lists/s3cret', '/Lists/*'],
    ['/admin/deals/7/edit', '/admin/deals/*/edit'],
    ['/deals/sony-wh-1000xm5', '/deals/sony-wh-1000xm5'],
    [`/${'long/'.repeat(100)}`, `/${'long/'.repeat(39)}long`],
  ])('R57: does not reveal whose page %s is', (page, path) => {
    expect(byReportTo(violation({ documentURL: origin + page }))).toEqual([{ ...found, path }]);
  });

  it.each([
    ['pages of other hosts', { documentURL: 'https://other.example/deals' }],
    ['pages of the same host over another scheme', { documentURL: 'http://deals.test/deals' }],
    ['pages without an address', { documentURL: 'about:blank' }],
    ['directives that do not exist', { effectiveDirective: 'buy-src' }],
    ['directives with markup', { effectiveDirective: '<b>script-src</b>' }],
    ['bodies without required fields', { effectiveDirective: undefined }],
  ])('R57: stores no report for %s', (_, body) => {
    expect(byReportTo(violation(body), violation())).toEqual([found]);
  });

  it('R57: does not store reports of other types of the Reporting API', () => {
    expect(
      byReportTo({ type: 'deprecation', body: { id: 'x' } }, { type: 'crash', body: null }),
    ).toEqual([]);
  });

  it('R57: reads at most twenty reports per request', () => {
    expect(byReportTo(...Array.from({ length: 200 }, () => violation()))).toHaveLength(20);
  });

  it.each([
    ['application/csp-report', 'no JSON'],
    ['application/csp-report', '[]'],
    ['application/csp-report', '{"csp-report":{"document-uri":7}}'],
    ['application/csp-report', JSON.stringify([violation()])],
    ['application/reports+json', '{}'],
    ['application/reports+json', 'null'],
    ['application/reports+json', '["csp-violation"]'],
  ] as const)('R57: refuses a text without the format of %s: %s', (type, text) => {
    expect(readPolicyReports(text, type, origin)).toBeNull();
  });
});
