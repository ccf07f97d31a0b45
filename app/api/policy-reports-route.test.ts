import { describe, expect, it } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import {
  listPolicyReports,
  notePolicyReports,
} from '#app/platform/policy-report-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
useStoppedClock();
const siteWith = (more: Record<string, string> = {}) =>
  testSite(database, { env: readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, ...more }) });
const site = siteWith();
const address = '/api/policy-reports';

const report = (path = '/deals') =>
  JSON.stringify({
    'csp-report': {
      'document-uri': `${testOrigin}${path}?search=secret`,
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'https://evil.example/x.js',
    },
  });
const send = (
  body: string,
  { from = '192.0.2.1', type = 'application/csp-report', to = site } = {},
) =>
  to.request(address, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
    address: from,
  });
const kept = () => listPolicyReports(database.db, 10);

// Proves R57: security.txt, signed releases, reports
describe('R57: the endpoint for content policy reports', () => {
  it('R57: counts policy reports of both formats and returns nothing', async () => {
    const legacy = await send(report());
    const list = JSON.stringify([
      {
        type: 'csp-violation',
        body: {
          documentURL: `${testOrigin}/deals`,
          effectiveDirective: 'script-src-elem',
          blockedURL: 'https://evil.example/y.js',
        },
      },
    ]);
    const modern = await send(list, { type: 'application/reports+json; charset=utf-8' });
    expect([legacy.status, await legacy.text(), modern.status]).toEqual([204, '', 204]);
    const { rows } = await kept();
    expect(rows).toMatchObject([
      { directive: 'script-src-elem', blocked: 'https://evil.example', path: '/deals', seen: 2 },
    ]);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it.each([
    ['{', {}, 400],
    [report(), { type: 'application/json' }, 415],
    [report(), { type: 'text/plain' }, 415],
    [report(`/${'a'.repeat(70_000)}`), {}, 413],
  ])(
    'R57: rejects anything that is not a policy report, and stores nothing',
    async (body, options, status) => {
      expect((await send(body, options)).status).toBe(status);
      expect((await kept()).total).toBe(0);
    },
  );

  it('R57: limits policy reports per IP address', async () => {
    const alone = siteWith({ RATE_LIMITS: 'policy-report-address=1/60' });
    expect((await send(report(), { to: alone })).status).toBe(204);
    const refused = await send(report(), { to: alone });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(report(), { to: alone, from: '198.51.100.7' })).status).toBe(204);
  });

  it('R57: limits all policy reports together', async () => {
    const together = siteWith({ RATE_LIMITS: 'policy-report-site=2/60' });
    const answers = [];
    for (const from of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      answers.push((await send(report(), { to: together, from })).status);
    expect(answers).toEqual([204, 204, 429]);
  });

  it('R57: returns 404 for policy reports when turned off', async () => {
    expect((await send(report(), { to: siteWith({ CSP_REPORTS: 'off' }) })).status).toBe(404);
    expect((await kept()).total).toBe(0);
  });
});

describe('R57: the reports in the settings', () => {
  const screen = '/admin/settings?section=system';

  it('R57: lists policy reports for staff, as plain text', async () => {
    await send(report('/<b>bold</b>'));
    const visitor = await signedInVisitor(database, site, 'admin');
    const { html } = await visitor.open(screen);
    expect(html).toMatch(
      /<code>script-src-elem<\/code> blocked <code>https:\/\/evil\.example<\/code> on <code>\/%3Cb%3E/,
    );
    expect(html).not.toContain('Nothing has been reported.');
  });

  it('R57: lets staff clear policy reports, with an audit entry', async () => {
    await send(report());
    const visitor = await signedInVisitor(database, site, 'admin');
    const sent = await visitor.send(screen, { intent: 'forget-policy-reports' });
    expect(sent.status).toBe(302);
    const { html } = await visitor.open(screen);
    expect(html).toContain('The reports have been cleared.');
    expect(html).toContain('Nothing has been reported.');
    expect(await database.db.selectFrom('audit_log').select(['actor', 'action']).execute()).toEqual(
      [{ actor: visitor.userId, action: 'site.forget-policy-reports' }],
    );
  });

  it('R57: shows when the limit of kinds of policy reports is reached', async () => {
    const reports = Array.from({ length: 500 }, (_, n) => ({
      directive: 'img-src',
      blocked: `http://host-${n}.example`,
      path: '/',
    }));
    await notePolicyReports(database.db, reports);
    const visitor = await signedInVisitor(database, site, 'admin');
    const { html } = await visitor.open(screen);
    expect(html).toContain('The limit of 500 kinds is reached');
    expect(html).toContain('The latest 50 of 500:');
  });

  it('R57: shows that the collection of policy reports is turned off', async () => {
    const visitor = await signedInVisitor(database, siteWith({ CSP_REPORTS: 'off' }), 'admin');
    expect((await visitor.open(screen)).html).toContain('Not collected: CSP_REPORTS is off.');
  });
});
