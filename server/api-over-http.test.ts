import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';

let site: HttpSite;

beforeAll(async () => {
  const json = JSON.stringify({ data: 'deal '.repeat(200) });
  site = await startHttpSite(
    async () => ({
      response: new Response(json, {
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'public, max-age=60',
          etag: '"abc"',
        },
      }),
      policy: null,
      error: undefined,
    }),
    { env: { RATE_LIMITS: 'page=0' } },
  );
});
afterAll(() => site.close());

describe('the API over HTTP', () => {
  test('responds to CORS preflight requests for the API only', async () => {
    const headers = {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    };
    for (const path of ['/api/v1/deals', '/openapi.json']) {
      const answer = await site.send(path, { method: 'OPTIONS', headers });
      expect(answer.status).toBe(204);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': 'Authorization, If-None-Match',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    }
    const page = await site.send('/deals', { method: 'OPTIONS', headers });
    expect(page.status).toBe(405);
    expect(page.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('R23: returns problem details for API requests rejected before routing, and a page elsewhere', async () => {
    const refused = async (path: string, method: string, headers = {}) => {
      const answer = await site.send(path, { method, headers });
      return [answer.status, answer.headers['content-type']];
    };
    const problem = 'application/problem+json; charset=utf-8';
    expect(await refused('/api/v1/deals', 'TRACE')).toEqual([405, problem]);
    expect(await refused('/api/v1/deals', 'POST')).toEqual([403, problem]);
    expect(await refused('/api/v1/deals', 'DELETE')).toEqual([405, problem]);
    expect(await refused('/api/v1/%FF', 'GET')).toEqual([400, problem]);
    expect(await refused('/api/v1/deals', 'GET', { host: 'evil.example' })).toEqual([421, problem]);
    expect(await refused('/deals', 'TRACE')).toEqual([405, 'text/html; charset=utf-8']);
    const { text, headers } = await site.send('/api/v1/deals', { method: 'TRACE' });
    expect(headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(JSON.parse(text)).toMatchObject({
      type: 'https://deals.test/developers#method-not-allowed',
      status: 405,
      reference: expect.stringMatching(/^[\w-]{12}$/),
    });
  });

  test('includes the encoding in a strong ETag', async () => {
    const plain = await site.send('/api/v1/deals');
    const zipped = await site.send('/api/v1/deals', { headers: { 'accept-encoding': 'gzip' } });
    expect(plain.headers.etag).toBe('"abc"');
    expect(zipped.headers.etag).toBe('"abc-gzip"');
    expect(gunzipSync(zipped.body).toString()).toBe(plain.text);
  });
});
