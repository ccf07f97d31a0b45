import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import { apiProblems } from '#app/platform/api-problem.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { signWebhook, writeWebhookSecret } from '#app/features/webhooks/sign-webhook.ts';
import verifyWebhook from '#content/verify-webhook.txt?raw';

const database = useTestDatabase();

test('documents every API operation, parameter, response and error', async () => {
  const site = testSite(database);
  const { status, html } = await site.page('/developers');
  const document = await (await site.request('/openapi.json')).json();
  expect(status).toBe(200);
  for (const { id, path: asked, query } of Object.values(apiOperations)) {
    expect(html).toContain(`id="${id}"`);
    expect(html.replaceAll('<!-- -->', '')).toContain(`GET ${asked}`);
    for (const name of Object.keys(query.shape)) expect(html).toContain(`<code>${name}</code>`);
  }
  for (const name of Object.keys(document.components.schemas)) {
    expect(html).toContain(`id="schema-${name}"`);
  }
  for (const { name } of Object.values(apiProblems)) expect(html).toContain(`id="${name}"`);
  for (const event of Object.keys(document.webhooks)) {
    expect(html).toContain(`<code>${event}</code>`);
  }
  // Each link to a part of the page must have a target.
  for (const [, part] of html.matchAll(/href="#([\w-]+)"/g)) expect(html).toContain(`id="${part}"`);
});

test('shows the current API limits on a page that search engines index', async () => {
  const env = readEnv({
    NODE_ENV: 'test',
    ORIGIN: testOrigin,
    RATE_LIMITS: 'api-address=7/60, api-key=0',
  });
  const site = testSite(database, { env });
  const html = (await site.page('/developers')).html.replaceAll('<!-- -->', '');
  expect(html).toContain('Without a key 7 requests a minute for an address');
  expect(html).toContain('with a key unlimited requests');
  expect(html).toContain(`${testOrigin}/api/v1/deals`);
  expect((await site.page('/sitemaps/pages.xml')).html).toContain(`${testOrigin}/developers<`);
  expect((await site.page('/feeds')).html).toContain('href="/developers"');
});

test('documents code for receivers that accepts only our webhook signatures', async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'recipe-')), 'recipe.mjs');
  writeFileSync(file, verifyWebhook);
  const { isGenuine } = await import(/* @vite-ignore */ file);
  const [old, present] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const body = '{"type":"ping"}';
  const headers = signWebhook([present, old], { id: 'msg_1', at: new Date(), body });
  for (const secret of [old, present]) {
    expect(isGenuine(headers, body, writeWebhookSecret(secret))).toBe(true);
  }
  expect(isGenuine(headers, `${body} `, writeWebhookSecret(present))).toBe(false);
  expect(isGenuine(headers, body, writeWebhookSecret(Buffer.alloc(32, 3)))).toBe(false);
  const late = signWebhook([present], { id: 'msg_1', at: new Date(0), body });
  expect(isGenuine(late, body, writeWebhookSecret(present))).toBe(false);
});
