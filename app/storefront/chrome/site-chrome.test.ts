import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import type { Role } from '#database/schema/account-tables.ts';
import { type PublicSite, publicSite } from '#app/features/site-settings/public-site.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { testOrigin } from '#test/origin.ts';
import { render, tagsOf, testSiteFacts, textOf } from '#test/render-component.tsx';
import { PriceMark } from '#app/ui/price-mark.tsx';
import { AffiliateDisclosure } from './affiliate-disclosure.tsx';
import { DealActions } from './deal-actions.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import { SiteLogo } from './site-logo.tsx';

const waitFor = (deal_id: number) =>
  ({
    deal_id,
    kind: 'any_drop',
    target_price: null,
    target_percent: null,
    repeats: false,
  }) as const;

const ada = (role: Role = 'user') => ({ email: 'ada.l@mail.example', role });
const hrefs = (html: string) => tagsOf(html, 'a').map((tag) => /href="([^"]*)"/.exec(tag)?.[1]);
const header = (around: Parameters<typeof render>[1] = {}) =>
  render(createElement(SiteHeader), around);

describe('the header', () => {
  test('shows the header’s five links twice: in the bar, and in the phone menu', () => {
    const html = header({ path: '/deals' });
    const navs = [...html.matchAll(/<nav[^>]*aria-label="([^"]+)"[^>]*>(.*?)<\/nav>/gs)];
    expect(navs.map(([, name]) => name)).toEqual(['Main', 'Menu']);
    for (const [, , links = ''] of navs) {
      expect(textOf(links)).toBe('Home Deals Categories Stores Blog');
      expect(hrefs(links)).toEqual(['/', '/deals', '/categories', '/merchants', '/blog']);
    }
  });

  test('marks the current page in the header, and Home only on the home page', () => {
    const current = (path: string) =>
      tagsOf(header({ path }), 'a')
        .filter((tag) => tag.includes('aria-current="page"'))
        .map((tag) => /href="([^"]*)"/.exec(tag)?.[1]);
    expect(current('/')).toEqual(['/', '/']);
    expect(current('/deals')).toEqual(['/deals', '/deals']);
    expect(current('/deals/desk-lamp')).toEqual(['/deals', '/deals']);
    expect(current('/how-we-rank')).toEqual([]);
  });

  test('shows a second search box with its own name in the menu', () => {
    const html = header();
    expect(html).toContain('aria-label="Search"');
    expect(html).toContain('aria-label="Search from the menu"');
    expect(html.match(/name="search"/g)).toHaveLength(2);
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('shows the page’s query only in its own search box', () => {
    expect(header({ path: '/deals?search=desk+lamp' }).match(/value="desk lamp"/g)).toHaveLength(2);
    expect(header({ path: '/blog?search=desk' })).not.toContain('value="desk"');
  });

  test('shows visitors a Sign In link that returns to this page, and no account links', () => {
    const html = header({ path: '/deals/desk-lamp?days=30' });
    expect(hrefs(html)).toContain('/sign-in?returnTo=%2Fdeals%2Fdesk-lamp%3Fdays%3D30');
    expect(html).not.toContain('/favorites');
    expect(html).not.toContain('/price-alerts');
    expect(html).not.toContain('Sign Out');
  });

  test.each([
    '/',
    '/sign-in',
    '/sign-up?x=1',
    '/reset-password?token=secret',
    '/verify-email?token=secret',
    '/confirm-address?token=secret',
  ])('does not return to the form at %s after sign-in, and omits the form’s token', (path) => {
    const html = header({ path });
    expect(hrefs(html)).toContain('/sign-in');
    expect(html).not.toContain('secret');
  });

  // Proves Storefront 2: Header: favorites and alerts icons (account-tools.tsx)
  test('shows favorites, alerts and account links in the menu when signed in', () => {
    const html = header({ viewer: ada() });
    expect(html).toContain('aria-label="Favorites"');
    expect(html).toContain('aria-label="Price alerts"');
    expect(textOf(html)).toContain('My Favorites Price Alerts');
    expect(hrefs(html)).not.toContain('/sign-in');
  });
});

describe('the user menu', () => {
  // Proves Storefront 2: User menu: local part, email, Role, Admin Panel for staff, Sign Out (user-menu.tsx)
  test('shows the local part, the whole address and the role in the user menu', () => {
    const text = textOf(header({ viewer: ada() }));
    expect(text).toMatch(/ada\.l ada\.l@mail\.example Role: user/);
  });

  test('signs out through a form, even without JavaScript', () => {
    const html = header({ viewer: ada() });
    const form = /<form action="\/logout" method="post">(.*?)<\/form>/.exec(html)?.[1] ?? '';
    expect(tagsOf(form, 'button')[0]).toContain('type="submit"');
    expect(textOf(form)).toBe('Sign Out');
  });

  test.each([
    ['user', false],
    ['admin', true],
    ['super_admin', true],
  ] as const)('links a %s to the admin: %s', (role, isStaff) => {
    const admin = hrefs(header({ viewer: ada(role) })).filter((href) => href?.startsWith('/admin'));
    expect(admin.length > 0).toBe(isStaff);
  });
});

describe('the logo', () => {
  const logo = (name: string) => render(createElement(SiteLogo), { site: { name } });

  test('shows the price line and the whole name of the site in the logo', () => {
    expect(logo('Deal Hub')).toContain('aria-label="Deal Hub home"');
    expect(textOf(logo('The Big Deal Hub'))).toBe('The Big Deal Hub');
    expect(tagsOf(logo('The Big Deal Hub'), 'span')).toHaveLength(1);
    expect(logo('Deal Hub')).toContain('<svg');
  });

  test('shows the mark once in header and footer, unless the owner has a logo or an icon', () => {
    const mark = render(createElement(PriceMark));
    expect(mark).toContain('d="M9 19h15v14h14v12h10"');
    const icon = { ...testSiteFacts.brand, iconHash: 'abc' } as PublicSite['brand'];
    for (const frame of [SiteHeader, SiteFooter]) {
      const markIn = (facts: Partial<PublicSite>) =>
        render(createElement(frame), { site: facts }).split(mark).length - 1;
      expect(markIn({})).toBe(1);
      expect(markIn({ logoUrl: '/media/logo.png' })).toBe(0);
      expect(markIn({ brand: icon })).toBe(0);
    }
  });

  test('shows a one-word name unstyled in the logo', () => {
    expect(textOf(logo('Bargains'))).toBe('Bargains');
    expect(tagsOf(logo('Bargains'), 'span')).toHaveLength(1);
  });
});

describe('the footer', () => {
  const footer = (path = '/deals', site = {}) => render(createElement(SiteFooter), { path, site });

  // Proves Storefront 2: Footer: About, Help, FAQ, legal, contact (site-footer.tsx)
  test('links the lists in the footer, discloses commissions, and shows contact details', () => {
    const html = footer('/deals', {
      name: 'Bargains',
      contactEmail: 'help@b.example',
      contactPhone: '+49 1',
    });
    for (const href of [
      '/deals',
      '/categories',
      '/merchants',
      '/check',
      '/how-we-rank',
      '/feeds',
      'mailto:help@b.example',
    ]) {
      expect(hrefs(html)).toContain(href);
    }
    const text = textOf(html);
    expect(text).toContain('All Deals');
    expect(text).toContain('Bargains takes part in affiliate programs');
    expect(text).toContain('Amazon Services LLC Associates Program');
    expect(text).toContain('© 2025–2026 Bargains. All rights reserved.');
    expect(text).toContain('+49 1');
  });

  test('omits blank facts from the footer', () => {
    const html = footer('/deals', {
      name: 'Bargains',
      contactEmail: '',
      contactPhone: '',
      affiliateProgrammes: [],
    });
    expect(html).not.toContain('mailto:');
    expect(textOf(html)).not.toMatch(/takes part|Amazon/);
    expect(textOf(html)).toContain('We may earn a commission');
  });

  test('names the company and each program in the footer', () => {
    const affiliateProgrammes = ['Awin', 'eBay Partner Network', 'Amazon Associates Program'];
    const text = textOf(footer('/deals', { company: 'Barn Ltd', affiliateProgrammes }));
    expect(text).toContain(
      'among them Awin, eBay Partner Network, and the Amazon Associates Program. We may',
    );
    expect(text).toContain('Barn Ltd. All rights reserved.');
  });

  test.each([
    [2025, '2025–2026'],
    [2026, '2026'],
    [2027, '2026'],
    [null, '2026'],
  ])('shows the copyright years of a site opened in %s: %s', (openingYear, years) => {
    // In Auckland, the new year has already begun.
    const settings = { ...defaultSettings, openingYear, timeZone: 'Pacific/Auckland' };
    const { copyrightYears } = publicSite(settings, testOrigin, new Date('2025-12-31T12:00:00Z'));
    expect(copyrightYears).toBe(years);
  });

  test('shows the newsletter form in the footer except on pages with their own', () => {
    const form = (path: string) => footer(path).includes('action="/newsletter"');
    expect(form('/deals')).toBe(true);
    expect(form('/')).toBe(false);
    expect(form('/newsletter')).toBe(false);
  });
});

describe('P35c: the disclosure', () => {
  // Proves Storefront 1: Affiliate disclosure under the header, statement in the footer (affiliate-disclosure.tsx)
  test('P35c: discloses in plain language that the site earns money, and links to details', () => {
    const html = render(createElement(AffiliateDisclosure));
    expect(textOf(html)).toMatch(/^We may earn a commission when you buy through our links\./);
    expect(hrefs(html)).toEqual(['/how-we-rank']);
  });
});

describe('a deal’s heart and bell', () => {
  const deal = {
    id: 7,
    title: 'Desk lamp',
    picture: null,
    is_expired: false,
    merchantName: 'Lamp House',
  };
  const actions = (
    change: Partial<typeof deal> & { price?: number | null; hasLabels?: boolean } = {},
    around: Parameters<typeof render>[1] = { viewer: ada() },
  ) => {
    const { price = 1999, hasLabels, ...rest } = change;
    return render(
      createElement(DealActions, { deal: { ...deal, ...rest }, price, hasLabels }),
      around,
    );
  };

  test('shows hearts and bells to signed-in users only', () => {
    expect(actions({}, {})).toBe('');
    expect(actions()).toContain('aria-label="Favorite: Desk lamp"');
    expect(actions()).toContain('aria-label="Price alert: Desk lamp"');
  });

  test('shows existing favorites and alerts on hearts and bells', () => {
    const html = actions({}, { viewer: ada(), favoriteIds: [7], alertRules: [waitFor(7)] });
    expect(html).toContain('aria-pressed="true"');
    expect(html).toContain('name="want" value="unset"');
    expect(html).toContain('aria-label="Change price alert: Desk lamp"');
    const other = actions({}, { viewer: ada(), favoriteIds: [8], alertRules: [waitFor(8)] });
    expect(other).toContain('aria-pressed="false"');
    expect(other).toContain('name="want" value="set"');
  });

  // Proves Storefront 4: Favorite: a row is there or not (change-favorite.server.ts)
  test('R54: sends the requested state of a heart, and returns to this page without JavaScript', () => {
    const html = actions({}, { viewer: ada(), path: '/deals?type=coupon&page=2' });
    expect(html).toMatch(/<form[^>]*action="[a-z/]*\/favorites" method="post"/);
    expect(html).toContain('name="deal_id" value="7"');
    expect(html).toContain('name="return_to" value="/deals?type=coupon&amp;page=2"');
    expect(hrefs(html)).toEqual(['/price-alerts/new?deal=7']);
  });

  test('does not offer an alert for an expired deal or a hidden price', () => {
    expect(actions({ is_expired: true })).not.toContain('Price alert');
    expect(actions({ price: null })).not.toContain('Price alert');
    expect(actions({ is_expired: true })).toContain('Favorite');
  });

  test('labels heart and bell on the deal’s page', () => {
    expect(textOf(actions({ hasLabels: true }))).toBe('Favorite Price Alert');
    const around = { viewer: ada(), favoriteIds: [7], alertRules: [waitFor(7)] };
    expect(textOf(actions({ hasLabels: true }, around))).toBe('Favorited Price Alert set');
  });
});
