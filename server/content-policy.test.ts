import { afterEach, describe, expect, it } from 'vitest';
import { hcaptchaHosts } from '#app/platform/captcha/hcaptcha-hosts.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { hashSource } from '#server/security-headers.ts';
import type { SiteApp } from '#server/site-app.ts';

let site: HttpSite;
afterEach(() => site?.close());

const keys = { HCAPTCHA_SITEKEY: 'site', HCAPTCHA_SECRET: 'secret' };
const app =
  (type: string, headers: Record<string, string> = {}): SiteApp =>
  async () => ({
    response: new Response('<p>hello</p>', { headers: { 'content-type': type, ...headers } }),
    policy: { seconds: 60, tags: [] },
    error: null,
  });

/** Returns the allowed sources for each kind of content, on a shared page and on a personal one. */
async function policiesOf(page: SiteApp, env: Record<string, string> = {}) {
  site = await startHttpSite(page, { env });
  const answers = [await site.send('/deals'), await site.send('/profile')];
  return answers.map(({ headers }) => {
    const parts = String(headers['content-security-policy']).split('; ');
    return new Map(
      parts.map((part) => {
        const [name = '', ...sources] = part.split(' ');
        return [name, sources] as const;
      }),
    );
  });
}

describe('a page’s content policy', () => {
  it('allows no external content except pictures, no frames, and forms to the site only', async () => {
    for (const policy of await policiesOf(app('text/html'))) {
      expect(policy.get('default-src')).toEqual(["'none'"]);
      for (const name of ['style-src', 'connect-src', 'frame-src', 'font-src', 'form-action']) {
        expect([name, policy.get(name)]).toEqual([name, ["'self'"]]);
      }
      expect(policy.get('img-src')).toEqual(["'self'", 'data:', 'https:']);
      for (const name of ['base-uri', 'frame-ancestors', 'object-src']) {
        expect([name, policy.get(name)]).toEqual([name, ["'none'"]]);
      }
      const scripts = policy.get('script-src') ?? [];
      expect(scripts[0]).toBe("'self'");
      expect(scripts.join(' ')).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  it('allows only what the hCaptcha widget needs if its keys are set', async () => {
    for (const policy of await policiesOf(app('text/html'), keys)) {
      for (const name of ['script-src', 'style-src', 'connect-src', 'frame-src']) {
        expect([name, policy.get(name)]).toEqual([
          name,
          expect.arrayContaining([...hcaptchaHosts]),
        ]);
      }
      for (const name of ['default-src', 'form-action', 'font-src', 'worker-src', 'base-uri']) {
        expect([name, policy.get(name)?.join(' ')]).toEqual([
          name,
          expect.not.stringContaining('hcaptcha'),
        ]);
      }
    }
  });

  it.each(['application/json', 'text/plain', 'text/csv', 'image/svg+xml'])(
    'forbids everything in responses that are not pages: %s, with or without hCaptcha keys',
    async (type) => {
      for (const policy of await policiesOf(app(type), keys)) {
        expect(policy.get('default-src')).toEqual(["'none'"]);
        expect(policy.has('sandbox')).toBe(true);
        expect([...policy.values()].flat().join(' ')).not.toMatch(/hcaptcha|'self'|nonce|sha256/);
      }
    },
  );

  it('keeps a content policy that a page sets itself, such as for third-party markup in a frame', async () => {
    const headers = {
      'content-security-policy': "default-src 'none'; frame-ancestors 'self'; sandbox",
      'x-frame-options': 'SAMEORIGIN',
    };
    site = await startHttpSite(app('text/html', headers));
    const answer = await site.send('/profile');
    expect(answer.headers).toMatchObject(headers);
  });
});

describe('a visitor page’s content policy', () => {
  const fixedScripts = ['theme()', '{"prefetch":[]}'];
  const mark = { 'x-visitors-page': '1' };
  const markup = '<script>theme()</script><script nonce="NONCE">own()</script>';
  const visitorsPage =
    (headers: Record<string, string> = mark): SiteApp =>
    async (_request, { nonce }) => ({
      response: new Response(markup.replace('NONCE', nonce), {
        headers: { 'content-type': 'text/html', ...headers },
      }),
      policy: { seconds: 60, tags: [] },
      error: null,
    });
  const scriptsOf = (policy: unknown) =>
    /script-src ([^;]*)/.exec(String(policy))?.[1]?.split(' ') ?? [];

  // Proves R18: headers on every answer (security-headers.ts)
  it('R18: sends all visitor pages the same policy, which allows our files, and inline scripts by hash', async () => {
    site = await startHttpSite(visitorsPage(), { fixedScripts });
    const cookie = '__Host-session=abc';
    const answers = [
      await site.send('/deals'),
      await site.send('/blog'),
      await site.send('/deals', { headers: { cookie } }),
      await site.send('/deals', { headers: { cookie } }),
      await site.send('/favorites', { method: 'HEAD', headers: { cookie } }),
    ];
    const policies = answers.map(({ headers }) => headers['content-security-policy']);
    expect(new Set(policies).size).toBe(1);
    expect(scriptsOf(policies[0])).toEqual(["'self'", ...fixedScripts.map(hashSource)]);
    expect(policies[0]).toContain("default-src 'none'");
    expect(policies[0]).toContain('report-uri');
    for (const { headers } of answers) {
      expect(headers['x-visitors-page']).toBeUndefined();
      expect(headers['reporting-endpoints']).toBeDefined();
    }
  });

  it('allows hCaptcha on a visitor page if its keys are set', async () => {
    site = await startHttpSite(visitorsPage(), { fixedScripts, env: keys });
    const { headers } = await site.send('/deals');
    expect(scriptsOf(headers['content-security-policy'])).toEqual([
      "'self'",
      ...fixedScripts.map(hashSource),
      ...hcaptchaHosts,
    ]);
  });

  it('distinguishes visitor pages from pages that hydrate as a whole', async () => {
    site = await startHttpSite(visitorsPage({}), { fixedScripts });
    const own = await site.send('/profile');
    const nonce = /nonce="([^"]+)"/.exec(own.text)?.[1];
    expect(scriptsOf(own.headers['content-security-policy'])).toEqual([
      "'self'",
      `'nonce-${nonce}'`,
    ]);
  });

  it('never treats other content as a page, regardless of its headers', async () => {
    const headers = { 'content-type': 'application/json', ...mark };
    site = await startHttpSite(visitorsPage(headers), { fixedScripts });
    for (const path of ['/deals', '/profile']) {
      const answer = await site.send(path);
      expect(answer.headers['content-security-policy']).toContain('sandbox');
      expect(answer.headers['x-visitors-page']).toBeUndefined();
    }
  });
});
