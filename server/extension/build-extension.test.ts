import { expect, test } from 'vitest';
import { unpackZip } from '#test/unpack-zip.ts';
import { browsers, buildExtension } from './build-extension.ts';

const about = { origin: 'https://deals.example:8443', name: 'Lamp Deals', version: '1.2.3-rc.1' };
const icons = new Map([16, 128].map((side) => [side, Buffer.from(`icon of ${side}`)]));
const build = (browser: (typeof browsers)[number], given = about) =>
  buildExtension(browser, given, icons);
const textsIn = async (browser: (typeof browsers)[number]) => {
  const files = await unpackZip(build(browser));
  return new Map([...files].map(([name, content]) => [name, content.toString()]));
};

test.each(browsers)('builds the same bytes for %s from the same input', (browser) => {
  expect(build(browser).equals(build(browser, { ...about }))).toBe(true);
  expect(build(browser).equals(build(browser, { ...about, name: 'Other' }))).toBe(false);
});

const listed = {
  manifest_version: 3,
  name: 'Lamp Deals price check',
  short_name: 'Lamp Deals',
  version: '1.2.3',
  description: 'Press the icon on a product’s page to check its price at deals.example:8443.',
  homepage_url: 'https://deals.example:8443/check',
  icons: { 16: 'icon-16.png', 128: 'icon-128.png' },
  action: {
    default_popup: 'popup.html',
    default_title: 'Lamp Deals price check',
    default_icon: { 16: 'icon-16.png', 128: 'icon-128.png' },
  },
  permissions: ['activeTab', 'scripting', 'storage'],
  host_permissions: ['https://deals.example/*'],
  content_security_policy: {
    extension_pages:
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src https://deals.example:8443; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
};

test('requests three permissions and access to one site, and nothing else', async () => {
  const read = async (browser: (typeof browsers)[number]) =>
    JSON.parse((await textsIn(browser)).get('manifest.json') ?? '') as unknown;
  expect(await read('chrome')).toEqual({
    ...listed,
    incognito: 'split',
    minimum_chrome_version: '123',
  });
  expect(await read('firefox')).toEqual({
    ...listed,
    browser_specific_settings: {
      gecko: {
        id: 'price-check@deals.example',
        strict_min_version: '142.0',
        data_collection_permissions: { required: ['browsingActivity', 'websiteContent'] },
      },
    },
  });
});

test.each(browsers)(
  'includes no URL of another site for %s, and no other means to send requests',
  async (browser) => {
    const files = await textsIn(browser);
    const all = [...files.values()].join('\n');
    const addresses = all.match(/\b(?:https?|wss?|ftp):\/\/[^\s'"`;]*/g) ?? [];
    expect(addresses.filter((one) => !/^https:\/\/deals\.example(?:[:/]|$)/.test(one))).toEqual([]);
    const calls = all.match(/\b(?:chrome|browser)\.\w+(?:\.\w+)*/g) ?? [];
    expect([...new Set(calls)].sort()).toEqual([
      'chrome.runtime.getManifest',
      'chrome.scripting',
      'chrome.storage.local.get',
      'chrome.storage.local.set',
      'chrome.tabs.query',
    ]);
    expect(all.match(/\bfetch\(.*/g)).toEqual([
      'fetch(`${origin}/api/v1/price-check?${checkParameters(product)}`, {',
    ]);
    expect(all).not.toMatch(
      /XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|RTCPeer|\beval\(|new Function|innerHTML|outerHTML|insertAdjacent|document\.(?:write|cookie)|localStorage|sessionStorage|indexedDB|out_url|\/out\b|import\(/,
    );
  },
);

test('includes scripts that import only each other, in less than 40 kB', async () => {
  const files = await textsIn('chrome');
  const scripts = [...files].filter(([name]) => name.endsWith('.js'));
  const imported = scripts.flatMap(([, text]) =>
    [...text.matchAll(/ from '\.\/([^']+)'/g)].map(([, name = '']) => name),
  );
  expect(new Set([...imported, 'popup.js'])).toEqual(new Set(scripts.map(([name]) => name)));
  expect(scripts.join('\n')).not.toMatch(/ from '(?!\.\/[\w-]+\.js')/);
  expect(files.get('popup.html')).toContain('src="popup.js"');
  expect(scripts.join('').length).toBeLessThan(40_000);
});
