import { createElement } from 'react';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { describe, expect, test } from 'vitest';
import { rightsOf } from '#app/features/accounts/policy.ts';
import { createLoadContext } from '#app/platform/app-context.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import routes from '#app/routes.ts';
import type { Db } from '#database/connect.ts';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { testOrigin } from '#test/origin.ts';
import { AdminFrame } from './admin-frame.tsx';
import { adminKeys } from './admin-keys.ts';
import { adminNav, currentLink, screensFor } from './admin-nav.ts';
import { backToList } from './back-to-list.ts';
import { listAddress, redirectWithFlash, takeFlash } from './flash.server.ts';

const attribute = (tag: string | undefined, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag ?? '')?.[1];

function frame(path: string, more: Partial<Parameters<typeof AdminFrame>[0]> = {}): string {
  const props = {
    staff: {
      fullName: 'Olivia Owner',
      email: 'owner@barn.example',
      screens: screensFor({ rights: rightsOf('admin') }),
    },
    flash: null,
    isDemo: false,
    children: createElement('h1', {}, 'A screen'),
    ...more,
  };
  return render(createElement(AdminFrame, props), { path, site: { name: 'Bargain Barn' } });
}
const currentOf = (html: string) =>
  tagsOf(html, 'a')
    .filter((tag) => attribute(tag, 'aria-current') === 'page')
    .map((tag) => attribute(tag, 'href'));

describe('the admin layout', () => {
  test('shows the site and the user in the admin layout, and links back to the site', () => {
    const html = frame('/admin');
    const words = textOf(html);
    expect(words).toContain('Bargain Barn admin');
    expect(words).toContain('Olivia Owner owner@barn.example');
    expect(words).toContain('Back to Site');
    const [form] = tagsOf(html, 'form');
    expect([attribute(form, 'method'), attribute(form, 'action')]).toEqual(['post', '/logout']);
    expect(
      textOf(frame('/admin', { staff: { fullName: '', email: 'a@b.example', screens: [] } })),
    ).toContain('Admin User a@b.example');
  });

  test('starts the admin with a skip link past the sidebar that moves the focus', () => {
    const html = frame('/admin');
    expect(attribute(tagsOf(html, 'a')[0], 'href')).toBe('#main');
    const [main] = tagsOf(html, 'main');
    expect([attribute(main, 'id'), attribute(main, 'tabindex')]).toEqual(['main', '-1']);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  test('opens the admin sidebar as a drawer without JavaScript', () => {
    const html = frame('/admin');
    const opener = tagsOf(html, 'button').find((tag) => tag.includes('Open the menu'));
    expect(attribute(opener, 'popovertarget')).toBe(attribute(tagsOf(html, 'nav')[0], 'id'));
    expect(tagsOf(html, 'nav')[0]).toContain('popover="auto"');
  });

  test.each([
    ['/admin', '/admin'],
    ['/admin/deals', '/admin/deals'],
    ['/admin/deals/4/edit', '/admin/deals'],
    ['/admin/imports/runs/9', '/admin/imports'],
    ['/admin/channels/3', '/admin/channels'],
    ['/admin/setup/site', '/admin'],
    ['/admin/dealsabout', '/admin'],
  ])('marks a single link as current on the page %s: %s', (path, href) => {
    expect(currentOf(frame(path))).toEqual([href]);
    expect(currentLink(path)?.href).toBe(href);
  });

  test('does not mark a link as current outside the admin', () => {
    expect(currentLink('/administrators')).toBeUndefined();
  });

  test('shows the demo bar only while there is demo data', () => {
    expect(textOf(frame('/admin'))).not.toContain('demo');
    expect(textOf(frame('/admin', { isDemo: true }))).toContain('Remove demo data');
  });

  test('lists every keyboard shortcut, and the switch to turn them off', () => {
    const dialog = /<dialog[^>]*keys-title.*?<\/dialog>/s.exec(frame('/admin'))?.[0] ?? '';
    for (const { key, does } of adminKeys) {
      expect(textOf(dialog)).toContain(`${key} ${does}`);
    }
    expect(tagsOf(dialog, 'input').map((tag) => attribute(tag, 'type'))).toEqual(['checkbox']);
  });

  test('links to every list screen, so none is reached by URL alone', () => {
    const paths = (entries: readonly RouteConfigEntry[]): string[] =>
      entries.flatMap(({ path, children }) => [
        ...(path === undefined ? [] : [`/${path}`]),
        ...(path === undefined ? paths(children ?? []) : []),
      ]);
    const screens = paths(routes).filter((path) => /^\/admin(\/[a-z-]+)?$/.test(path));
    const linked = adminNav.flatMap(({ links }) => links.map(({ href }) => href));
    // The link to Find opens its dialog.
    expect(frame('/admin')).toContain('href="/admin/find"');
    expect([...linked, '/admin/find'].toSorted()).toEqual(screens.toSorted());
  });
});

describe('the flash message', () => {
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, LOG_LEVEL: 'silent' });
  const context = createLoadContext(
    { db: undefined as unknown as Db, env, log: createLog('silent'), now: () => new Date() },
    { id: 'x', nonce: '', isForCache: false, address: '', gateNote: null },
  );
  const next = (response: Response) => {
    const cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    return new Request(`${testOrigin}/admin/lamps`, { headers: { cookie } });
  };

  test('shows a flash message on the next page with its action, and then clears it', () => {
    const undo = { label: 'Undo', action: '/admin/lamps?q=ü', fields: { intent: 'restore' } };
    const response = redirectWithFlash(context, '/admin/lamps?q=x', 'Gelöscht “so”', { undo });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/admin/lamps?q=x']);
    const taken = takeFlash(next(response), context);
    expect(taken?.flash).toMatchObject({
      text: 'Gelöscht “so”',
      kind: 'info',
      at: '/admin/lamps',
      undo,
    });
    expect(taken?.forget).toMatch(/Max-Age=0/);
  });

  test('creates a new id for each flash message, so that the same one can appear twice', () => {
    const [one, two] = [0, 1].map(() =>
      takeFlash(next(redirectWithFlash(context, '/admin', 'Saved.')), context),
    );
    expect(one?.flash.id).not.toBe(two?.flash.id);
  });

  test.each([
    ['nothing'],
    [Buffer.from('{"id":1}').toString('base64url')],
    [Buffer.from('not json').toString('base64url')],
    [
      Buffer.from(
        JSON.stringify({
          id: 'a',
          text: 'Press me',
          kind: 'info',
          at: '/admin',
          undo: { label: 'Undo', action: 'https://evil.example/', fields: {} },
        }),
      ).toString('base64url'),
    ],
  ])('ignores a flash message that another site or user wrote: %s', (value) => {
    const name = redirectWithFlash(context, '/admin', 'x').headers.get('set-cookie')?.split('=')[0];
    const request = new Request(testOrigin, { headers: { cookie: `${name}=${value}` } });
    expect(takeFlash(request, context)).toBeNull();
  });

  test('redirects to the same search and page of the list, without the router’s own parameters', () => {
    const posted = new Request(`${testOrigin}/admin/lamps.data?q=desk&page=2&_routes=admin&index`, {
      method: 'POST',
    });
    expect(listAddress(posted)).toBe('/admin/lamps?q=desk&page=2');
    expect(backToList(`${testOrigin}/admin/lamps/7/edit?q=desk&_routes=x`, '/admin/lamps')).toBe(
      '/admin/lamps?q=desk',
    );
    expect(backToList(`${testOrigin}/admin/lamps/7/edit`, '/admin/lamps')).toBe('/admin/lamps');
  });
});
