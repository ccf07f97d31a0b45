import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'brand-page-'));
});
afterAll(() => rm(folder, { recursive: true }));
const here = '/admin/settings/brand';
const site = () => {
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, DATA_DIR: folder });
  return testSite(database, { env });
};
const admin = () => signedInVisitor(database, site(), 'admin');
const stored = () => readSiteSettings(database.db);
const audited = () =>
  database.db
    .selectFrom('audit_log')
    .select(['action', 'entity_id', 'after'])
    .orderBy('id')
    .execute();

const red = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

/** Sends the form with files, as a browser does. */
async function upload(visitor: TestVisitor, fields: Record<string, string | Buffer>, to = here) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, new Blob([new Uint8Array(value)]), 'a.png');
  }
  return sendForm(visitor, form, to);
}

async function sendForm(visitor: TestVisitor, form: FormData, to: string) {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const sent = await site().request(to, { method: 'POST', body: form, headers: { cookie } });
  return { status: sent.status, html: await sent.text(), headers: sent.headers };
}

const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

test('previews uploads and a color before they are live, and saves what was shown', async () => {
  const visitor = await admin();
  const { html: first } = await visitor.open(here);
  expect(first).toContain('This is live.');
  const files = { logoUrlFile: await red(600, 160), iconUrlFile: await red(256, 256) };
  const typed = { accent: '#FFD400', version: hidden(first, 'version') };
  const shown = await upload(visitor, { ...typed, ...files, intent: 'preview' });
  expect(shown.status).toBe(200);
  expect(shown.html).toContain('Not saved yet.');
  expect(shown.html).toMatch(/href="\/brand\/preview-ffd400-[\da-f]{8}\.css"/);
  expect(shown.html).toContain('As text, #ffd400 has 1.2:1 and needs 4.5:1');
  expect(await stored()).toMatchObject({ logoUrl: '', iconUrl: '', accent: '' });

  const kept = {
    accent: '#ffd400',
    version: hidden(shown.html, 'version'),
    logoUrl: hidden(shown.html, 'logoUrl'),
    logoDarkUrl: '',
    iconUrl: hidden(shown.html, 'iconUrl'),
  };
  expect((await visitor.send(here, { ...kept, intent: 'save' })).status).toBe(302);
  const { logoUrl, iconUrl, accent } = await stored();
  expect([logoUrl, iconUrl, accent]).toEqual([kept.logoUrl, kept.iconUrl, '#ffd400']);
  expect(await audited()).toMatchObject([
    { action: 'settings.update', entity_id: 'brand', after: { accent: '#ffd400' } },
  ]);

  const { html: home } = await visitor.open('/');
  expect(home).toContain(`src="${logoUrl}"`);
  expect(home).toMatch(/rel="icon" href="\/brand\/icon-[\da-f]{12}-32\.png"/);
  const [style = ''] = /\/brand\/theme-ffd400-[\da-f]{8}\.css/.exec(home) ?? [];
  const sent = await site().request(style);
  expect(sent.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(sent.headers.get('content-type')).toBe('text/css; charset=utf-8');
  const manifest: { icons: { src: string; sizes: string }[] } = await (
    await site().request('/manifest.webmanifest')
  ).json();
  expect(manifest.icons).toHaveLength(3);
  for (const { src, sizes } of manifest.icons) {
    const icon = await site().request(src);
    const { width, height } = await sharp(await icon.bytes()).metadata();
    expect(`${width}x${height}`).toBe(sizes);
    expect(icon.headers.get('cache-control')).toContain('immutable');
  }
});

test('records nothing when the same brand is saved twice', async () => {
  const visitor = await admin();
  const fields = { intent: 'save', accent: '#0b6650' };
  await visitor.send(here, { ...fields, version: '0' });
  const version = hidden((await visitor.open(here)).html, 'version');
  await visitor.send(here, { ...fields, version });
  expect(await audited()).toHaveLength(1);
});

test('restores the default brand, and can undo this', async () => {
  const visitor = await admin();
  await visitor.send(here, { intent: 'save', accent: '#aa0000', version: '0' });
  const { html } = await visitor.open(here);
  expect(html).toContain('Restore the default brand?');
  const restored = await visitor.send(here, { intent: 'restore' });
  expect(flashOf(restored)).toBe('Default brand restored.');
  expect((await stored()).accent).toBe('');
  const { html: after } = await visitor.open(here);
  const undo = /<form[^>]*>(?:<input[^>]*>)*<button[^>]*>Undo/.exec(after)?.[0] ?? '';
  const fields = [...undo.matchAll(/name="(\w+)" value="([^"]*)"/g)];
  await visitor.send(
    here,
    fields.map(([, name = '', value = '']): [string, string] => [name, value]),
  );
  expect((await stored()).accent).toBe('#aa0000');
});

test('R47: warns the second of two users who save the brand, and keeps their input', async () => {
  const visitor = await admin();
  await visitor.send(here, { intent: 'save', accent: '#aa0000', version: '0' });
  const late = await visitor.send(here, { intent: 'save', accent: '#00aa00', version: '0' });
  expect(late.status).toBe(409);
  expect(late.html).toContain('Someone else saved the brand in the meantime.');
  expect(late.html).toContain('value="#00aa00"');
  const version = hidden(late.html, 'version');
  await visitor.send(here, { intent: 'save', accent: '#00aa00', version });
  expect((await stored()).accent).toBe('#00aa00');
});

test('shows errors at their fields, and saves nothing', async () => {
  const visitor = await admin();
  const bad = await upload(visitor, {
    intent: 'save',
    version: '0',
    accent: 'red;}',
    logoUrlAddress: 'nowhere',
    iconUrlFile: await red(20, 20),
    logoDarkUrl: '/media/site/logo-0123456789ab.webp',
  });
  expect(bad.status).toBe(422);
  for (const message of [
    'Six digits after #',
    'Must be a valid URL',
    '20 × 20 pixels',
    'This picture is no longer stored.',
  ])
    expect(bad.html).toContain(message);
  expect(bad.html).toContain('value="nowhere"');
  expect(await stored()).toMatchObject({ logoUrl: '', logoDarkUrl: '', iconUrl: '', accent: '' });
});

test('removes a picture when its checkbox is ticked', async () => {
  const visitor = await admin();
  await upload(visitor, { intent: 'save', version: '0', logoUrlFile: await red(100, 40) });
  const { html } = await visitor.open(here);
  const logoUrl = hidden(html, 'logoUrl');
  expect((await stored()).logoUrl).toBe(logoUrl);
  const version = hidden(html, 'version');
  await visitor.send(here, { intent: 'save', version, logoUrl, logoUrlRemove: 'on' });
  expect((await stored()).logoUrl).toBe('');
});

test('shows the dark logo as a separate picture', async () => {
  const visitor = await admin();
  const files = { logoUrlFile: await red(100, 40), logoDarkUrlFile: await red(90, 40) };
  await upload(visitor, { intent: 'save', version: '0', ...files });
  const { logoUrl, logoDarkUrl } = await stored();
  expect(logoUrl).not.toBe(logoDarkUrl);
  const { html } = await visitor.open('/');
  expect(html).toMatch(new RegExp(`src="${logoDarkUrl}"[^>]*loading="lazy"`));
});

test('saves the brand as step 3 of the setup, and continues to step 4', async () => {
  const visitor = await signedInVisitor(database, site(), 'super_admin');
  const { html } = await visitor.open('/admin/setup/brand');
  expect(html).toContain('Step 3 of 5');
  expect(html).toMatch(/href="\/admin\/setup\/mail"[^>]*>Skip/);
  const fields = { intent: 'save', accent: '#7a1fa2', version: hidden(html, 'version') };
  const sent = await visitor.send('/admin/setup/brand', fields);
  expect(sent.headers.get('location')).toBe('/admin/setup/mail');
  expect((await stored()).accent).toBe('#7a1fa2');
});

test('refuses a visitor without the right', async () => {
  const reader = await signedInVisitor(database, site(), 'user');
  expect((await reader.open(here)).status).toBe(403);
  const sent = await reader.send(here, { intent: 'save', accent: '#aa0000', version: '0' });
  expect(sent.status).toBe(403);
  expect((await stored()).accent).toBe('');
});

test('previews a font before it is live, saves it, and preloads its first file', async () => {
  const visitor = await admin();
  const { html: first } = await visitor.open(here);
  expect(first).toMatch(/<option value="nunito">Nunito: a rounded sans serif<\/option>/);
  const version = hidden(first, 'version');
  const plain = (await visitor.open('/')).html;
  const shown = await visitor.send(here, { intent: 'preview', font: 'nunito', version });
  const [preview = ''] = /\/brand\/preview-own-nunito-[\da-f]{8}\.css/.exec(shown.html) ?? [];
  expect(await (await site().request(preview)).text()).toContain(
    "[data-brand-preview]{font-family:'Nunito','Nunito Fallback',",
  );
  expect((await stored()).font).toBe('');

  await visitor.send(here, { intent: 'save', font: 'nunito', version });
  expect(await audited()).toMatchObject([{ entity_id: 'brand', after: { font: 'nunito' } }]);
  const { html } = await visitor.open('/');
  const fonts = preloaded(html);
  expect(fonts).toHaveLength(1);
  expect(fonts[0]).toContain('nunito-latin-wght-normal');
  expect(html).toMatch(/<link rel="stylesheet" href="\/brand\/theme-own-nunito-[\da-f]{8}\.css"/);
  expect(preloaded(plain)[0]).toContain('figtree-latin-wght-normal');
  expect(plain).not.toContain('/brand/theme');
});

const preloaded = (html: string) =>
  [...html.matchAll(/<link rel="preload" href="([^"]+)" as="font"[^>]*>/g)].map(([, url]) => url);

test('preloads no file for the system font, and refuses a font that is not on the list', async () => {
  const visitor = await admin();
  await visitor.send(here, { intent: 'save', font: 'system', version: '0' });
  const { html } = await visitor.open('/');
  expect(preloaded(html)).toEqual([]);
  const version = hidden((await visitor.open(here)).html, 'version');
  const typed = { intent: 'save', font: "x';}", version };
  const bad = await visitor.send(here, typed);
  expect(bad.status).toBe(422);
  expect(bad.html).toContain('Choose one of the options');
  expect((await stored()).font).toBe('system');
});
