import { describe, expect, test } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { cachedPages } from '#app/cached-pages.ts';
import { pageCacheKeys } from '#app/platform/page-cache-rules.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { addDemoSettings } from '#database/seed/seed-demo.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);

const plain = (html: string) =>
  html
    .replace(/<!-- -->/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
const open = async (path: string) => {
  const { status, html } = await site.page(path);
  return { status, html: plain(html), main: plain(/<main.*<\/main>/s.exec(html)?.[0] ?? '') };
};
const questionsIn = (html: string) => html.match(/<details[^>]* id="/g)?.length ?? 0;

describe.each([
  ['/privacy', 'Privacy Policy'],
  ['/terms', 'Terms of Service'],
  ['/cookies', 'Cookie Policy'],
  ['/disclaimer', 'Affiliate Disclaimer'],
])('%s', (path, title) => {
  // Proves Back office 2: Privacy, Terms, Cookie Policy, Affiliate Disclaimer (legal-page.tsx)
  test('shows a dated text whose table of contents links to each section', async () => {
    const { status, main, html } = await open(path);
    expect(status).toBe(200);
    expect(main).toContain(`<h1>${title}</h1>`);
    expect(main).toContain('Last updated: January 1, 2025');
    expect(html).toContain(`<link rel="canonical" href="${testOrigin}${path}"`);
    const nav = /<nav.*?<\/nav>/s.exec(main)?.[0] ?? '';
    const anchors = [...nav.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    const sections = [...main.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
    expect(anchors.length).toBeGreaterThan(4);
    expect(anchors).toEqual(sections);
  });

  test('uses the site’s own name and address in a legal text', async () => {
    await writeSiteSetting(database.db, 'siteName', 'Bargain Barn', 'test');
    await writeSiteSetting(database.db, 'contactEmail', 'legal@barn.test', 'test');
    const { html } = await open(path);
    expect(html).not.toContain('Deal Hub');
    expect(html).toContain('Bargain Barn');
    expect(html).toContain('mailto:legal@barn.test');
  });
});

describe('a site without facts', () => {
  test.each(['/privacy', '/terms', '/disclaimer', '/help', '/faq', '/about'])(
    'does not mention facts in %s that the owner left blank',
    async (path) => {
      const { html, main } = await open(path);
      expect(html).not.toMatch(/mailto:|\{\{|\?\}\}|%7B|Amazon|undefined|null hours/);
      expect(main).not.toMatch(/ ,| \.(?!\w)|within +hours/);
    },
  );

  test('mentions Amazon in the disclaimer if the site takes part in Amazon’s program', async () => {
    await writeSiteSetting(database.db, 'affiliateProgrammes', ['Amazon Associates'], 'test');
    const { main } = await open('/disclaimer');
    expect(main).toContain('id="amazon"');
    expect(main).toContain('As an Amazon');
  });
});

// Proves Back office 9: Policies of January 1, 2025; 30 days notice (content/)
test('promises 30 days’ notice before a material change of terms and privacy', async () => {
  expect((await open('/terms')).main).toContain('30 days notice of material changes');
  expect((await open('/privacy')).main).toContain('at least 30 days before the change');
});

describe('/about', () => {
  // Proves Back office 2: About: mission, what, why, figures, team (about-page.tsx)
  test('explains on the about page what the site is for, who runs it and where to go', async () => {
    await addDemoSettings(database.db);
    const { status, main } = await open('/about');
    expect(status).toBe(200);
    for (const words of ['Our mission', 'What we do', 'Why choose us', 'Our impact', 'The team'])
      expect(main).toContain(words);
    expect(main).toContain('href="/contact"');
    expect(main).toContain('href="/deals"');
  });

  // Proves Back office 1: Figures of static pages (site-figures.server.ts)
  test('P30: shows the specification’s statistics until the owner switches to measured statistics', async () => {
    await addDemoSettings(database.db);
    for (const figure of ['10,000+', '50,000+', '500+', '$2M+'])
      expect((await open('/about')).main).toContain(`<dd>${figure}</dd>`);
    await insertDeal(database.db, {});
    await writeSiteSetting(database.db, 'figuresMode', 'measured', 'test');
    const { main } = await open('/about');
    expect(main).toContain('<dt>active deals</dt><dd>1</dd>');
    expect(main).not.toContain('50,000+');
    // The text does not describe the team.
    expect(main).not.toContain('The team');
  });

  test('P30: shows the statistics that the owner entered', async () => {
    await writeSiteSetting(database.db, 'figuresMode', 'own', 'test');
    await writeSiteSetting(database.db, 'figures', [{ label: 'cats', value: '3' }], 'test');
    expect((await open('/about')).main).toContain('<dt>cats</dt><dd>3</dd>');
  });
});

describe('/help', () => {
  // Proves Back office 2: Help Center: five topics at their anchors (help.md)
  test('shows the five help topics with answers at the specification’s anchors', async () => {
    const { status, main } = await open('/help');
    expect(status).toBe(200);
    const topics = [
      'getting-started',
      'favorites-alerts',
      'account-settings',
      'price-alerts',
      'newsletter',
    ];
    for (const id of topics) {
      expect(main).toContain(`href="#${id}"`);
      const topic = main.slice(main.indexOf(`<div id="${id}"`)).split('<h2')[1] ?? '';
      expect([id, questionsIn(topic) >= 3]).toEqual([id, true]);
    }
    expect(main).toContain('href="/contact"');
    expect(main).toContain('href="/faq"');
  });

  // Proves P27: help search (help-page.tsx)
  test('P27: searches help and FAQ in any letter case, by the URL alone', async () => {
    const { main } = await open('/help?search=UNSUBSCRIBE');
    expect(main).toMatch(/\d+ answers for “UNSUBSCRIBE”/);
    expect(main).toContain('id="leave-newsletter"');
    expect(main).toContain('id="unsubscribe"');
    expect(main).not.toContain('id="getting-started"');
    expect(main).toMatch(/<input[^>]*name="search"[^>]*value="UNSUBSCRIBE"/);
  });

  test('reports an empty help search, and shows the input as text', async () => {
    const { status, main } = await open('/help?search=%3Cb%3Ezqx');
    expect(status).toBe(200);
    expect(main).toContain('0 answers for “&lt;b&gt;zqx”');
    expect(main).toContain('Nothing found');
  });

  test('states the configured password length and reply time', async () => {
    await writeSiteSetting(database.db, 'replyHours', 48, 'test');
    const { env } = testServices(database, { PASSWORD_MIN_LENGTH: '9' });
    const long = plain((await testSite(database, { env }).page('/faq')).html);
    expect(long).toContain('A password needs at least 9 characters');
    expect(long).toContain('within 48 hours');
  });
});

describe('/faq', () => {
  const names = [
    'All',
    'Account',
    'Favorites',
    'Price Alerts',
    'Deals',
    'Newsletter',
    'Support',
    'General',
    'Suggestions',
    'Shipping',
  ];

  // Proves Back office 2: FAQ: search, ten buttons, "No questions found" (faq-page.tsx)
  test('shows ten FAQ buttons in order, each with its questions', async () => {
    const { main } = await open('/faq');
    const nav = /<nav aria-label="Categories.*?<\/nav>/s.exec(main)?.[0] ?? '';
    const links = [...nav.matchAll(/href="([^"]+)"[^>]*>([^<]+)</g)];
    expect(links.map(([, , label]) => label)).toEqual(names);
    const counts = await Promise.all(
      links.slice(1).map(async ([, href = '']) => questionsIn((await open(href)).main)),
    );
    expect(Math.min(...counts)).toBeGreaterThan(0);
    const all = questionsIn(main);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all);
    expect(all).toBeGreaterThan(20);
  });

  test('searches FAQ questions and answers in any letter case, within the category', async () => {
    const everywhere = (await open('/faq?search=PRICE')).main;
    const within = (await open('/faq?category=shipping&search=PRICE')).main;
    expect(questionsIn(everywhere)).toBeGreaterThan(questionsIn(within));
    expect(within).toContain('id="free-shipping"');
    expect(within).toContain('1 question found');
    expect(within).toContain('<details id="free-shipping" class="question-list-item" open');
    expect(within).toMatch(/name="category" value="shipping"/);
    expect(within).toContain('href="/faq?category=deals&search=PRICE"');
  });

  test('searches FAQ answers only within the category', async () => {
    expect((await open('/faq?search=spam+folder')).main).toContain('id="verification-mail"');
    const { main } = await open('/faq?search=spam+folder&category=shipping');
    expect(main).toContain('No questions found');
    expect(questionsIn(main)).toBe(0);
  });

  test('treats an unknown FAQ category as all categories', async () => {
    const all = questionsIn((await open('/faq')).main);
    expect(questionsIn((await open('/faq?category=constructor')).main)).toBe(all);
  });

  test('includes structured data of all FAQ questions, only if all are shown', async () => {
    const read = async (path: string) =>
      [
        ...(await site.page(path)).html.matchAll(
          /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs,
        ),
      ].map(([, json = '']) => JSON.parse(json) as { '@type': string; mainEntity: object[] });
    const [faq] = await read('/faq');
    expect(faq?.['@type']).toBe('FAQPage');
    expect(faq?.mainEntity).toHaveLength(questionsIn((await open('/faq')).main));
    expect(faq?.mainEntity[0]).toMatchObject({
      '@type': 'Question',
      name: 'What is Deal Hub?',
      acceptedAnswer: { '@type': 'Answer' },
    });
    expect(await read('/faq?category=deals')).toEqual([]);
  });

  test('R19: does not serve an FAQ search or category from the shared cached page', () => {
    const key = (query: string) => pageCacheKeys(cachedPages)('/faq', new URLSearchParams(query));
    expect(key('')).toBe('/faq');
    expect(key('search=x')).toBeNull();
    expect(key('category=deals')).toBeNull();
  });
});

// Proves Storefront 2: Routes: about, help, faq, privacy, terms, cookies, disclaimer (routes.ts)
test('links all information pages from every page', async () => {
  const footer = /<footer.*<\/footer>/s.exec((await site.page('/deals')).html)?.[0] ?? '';
  const paths = ['about', 'help', 'faq', 'contact', 'privacy', 'terms', 'cookies', 'disclaimer'];
  for (const path of paths) expect(footer).toContain(`href="/${path}"`);
});
