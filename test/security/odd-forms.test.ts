import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { tagsOf } from '#test/render-component.tsx';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';
import { fillAdmin, screensOf, type Things } from '../../e2e/admin-screens.ts';

// Tests R22 and R23: submits every form on every admin screen with values that no one would type.

let database: TestDatabase;
let folder: string;
let things: Things;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'odd-forms-'));
  things = await fillAdmin(database.db, folder);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const oddValues = [
  '',
  'a\u0000b',
  '-1',
  '1e309',
  '999999999999999',
  '99999999999999999999',
  "'; drop table deals; --",
  '../../../../etc/passwd',
  'http://[::1',
  'x'.repeat(300_000),
];

interface SentForm {
  action: string;
  fields: { name: string; value: string; isFixed: boolean }[];
}

const attribute = (tag: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]?.replaceAll('&amp;', '&');

/** Returns a page's POST forms, once per button. */
function formsOf(html: string, address: string): SentForm[] {
  return [...html.matchAll(/<form\b[^>]*>.*?<\/form>/gs)].flatMap(([form]) => {
    const [head = ''] = tagsOf(form, 'form');
    if (!/method="post"/i.test(head)) return [];
    const controls = ['input', 'textarea', 'select'].flatMap((name) => tagsOf(form, name));
    const fields = controls.flatMap((tag) => {
      const name = attribute(tag, 'name');
      const isFixed = attribute(tag, 'type') === 'hidden';
      return name === undefined ? [] : [{ name, value: attribute(tag, 'value') ?? '', isFixed }];
    });
    const buttons = tagsOf(form, 'button').flatMap((tag) => {
      const name = attribute(tag, 'name');
      return name === undefined
        ? []
        : [{ name, value: attribute(tag, 'value') ?? '', isFixed: true }];
    });
    const action = attribute(head, 'action') ?? address;
    return (buttons.length === 0 ? [null] : buttons).map((button) => ({
      action,
      fields: button === null ? fields : [...fields, button],
    }));
  });
}

// Proves R23: no 5xx by input
test('R23: returns no server error for any admin form, regardless of its values', async () => {
  const env = readEnv({
    NODE_ENV: 'test',
    ORIGIN: testOrigin,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'admin-write=0',
  });
  const site = testSite(database, { env });
  const { cookie } = await signIn(database, { role: 'super_admin' });
  const headers = { cookie };

  const forms = new Map<string, SentForm>();
  for (const { address } of screensOf(things)) {
    const { html } = await site.page(address, { headers });
    for (const form of formsOf(html, address)) {
      if (form.action === '/logout') continue; // would end the session for all later requests
      // Rows have the same form, except for their id.
      const kind = [
        form.action.replaceAll(/\d+/g, 'n'),
        ...form.fields.map(({ name, value, isFixed }) =>
          isFixed && !/^\d+$/.test(value) ? `${name}=${value}` : name,
        ),
      ].join(' ');
      forms.set(kind, form);
    }
  }
  expect(forms.size).toBeGreaterThan(40);

  const faults: string[] = [];
  const send = async (form: SentForm, odd: string, isAllOdd: boolean) => {
    const body = new URLSearchParams();
    for (const { name, value, isFixed } of form.fields) {
      const isKept = isFixed && (!isAllOdd || name === 'intent');
      body.append(name, isKept ? value : odd);
    }
    const answer = await site.request(form.action, { method: 'POST', headers, body });
    await answer.body?.cancel();
    if (answer.status >= 500 || answer.status === 401) {
      const names = form.fields.map(({ name, value }) => (name === 'intent' ? value : name));
      faults.push(
        `${answer.status} ${form.action} (${names.join(', ')}): ${JSON.stringify(odd).slice(0, 40)}`,
      );
    }
  };
  for (const form of forms.values()) {
    for (const odd of oddValues) {
      await send(form, odd, false);
      if (form.fields.some(({ isFixed }) => isFixed)) await send(form, odd, true);
    }
  }
  expect([...new Set(faults)]).toEqual([]);
});
