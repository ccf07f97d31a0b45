import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal, insertProduct } from '#test/factories/insert.ts';
import { signIn } from '#test/staff.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { testSite } from '#test/site.ts';
import { testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
useStoppedClock();
const site = testSite(database);
let visitors = 0;
const visitor = () => testVisitor(site, `203.0.113.${(visitors += 1)}`);
const over = { about: 'over' };
const path = '/deals/drill/report?about=over';

beforeEach(async () => {
  await insertDeal(database.db, { slug: 'drill', title: 'Drill', coupon_code: 'SAVE10' });
});
const said = (html: string) => html.replaceAll('<!-- -->', '');
const reportedBy = async (people: number) => {
  for (let n = 0; n < people; n += 1) await visitor().sendAsHuman(path, over);
};

describe('a deal’s page', () => {
  test('links from a deal’s page to both report questions, and to the one about the code only if there is a code', async () => {
    const { html } = await site.page('/deals/drill');
    expect(html).toMatch(/<a [^>]*report\?about=code"[^>]*>Does this code work\?/);
    expect(html).toMatch(/<a [^>]*report\?about=over"[^>]*>Report as expired/);
    await insertDeal(database.db, { slug: 'lamp' });
    expect((await site.page('/deals/lamp')).html).not.toContain('Does this code work?');
    await insertDeal(database.db, { slug: 'past', expires_at: new Date('2026-01-01') });
    expect((await site.page('/deals/past')).html).not.toContain('Report as expired');
  });

  test('shows on a deal’s page that it was reported expired only after three reports', async () => {
    await reportedBy(2);
    expect((await site.page('/deals/drill')).html).not.toContain('Reported expired');
    await reportedBy(1);
    const { html } = await site.page('/deals/drill');
    expect(said(html)).toMatch(/Reported expired by 3, last checked (just now|\d+ min ago)\./);
  });

  test('shows for how many people the code worked, and for how many it failed', async () => {
    const ask = '/deals/drill/report?about=code';
    const tell = (works: string) =>
      visitor().sendAsHuman(ask, { about: 'code', code: 'SAVE10', works });
    await tell('yes');
    await tell('yes');
    await tell('no');
    expect(said((await site.page('/deals/drill')).html)).toContain(
      'Code worked for 2, last just now; not for 1, last just now.',
    );
  });
});

describe('a report of another product', () => {
  const other = '/deals/drill/report?about=product';

  test('opens the report of another product from the product’s page, works without JavaScript, and links back', async () => {
    const { db } = database;
    const product = await insertProduct(db, { slug: 'drill-18', title: 'Drill 18 V' });
    await db.updateTable('deals').set({ product_id: product.id }).execute();
    const page = await site.page('/products/drill-18');
    expect(page.html).toMatch(
      /<a [^>]*href="\/deals\/drill\/report\?about=product"[^>]*>Not the same product\?/,
    );
    const { status, html } = await visitor().sendAsHuman(other, { about: 'product' });
    expect(status).toBe(200);
    expect(html).toContain('Thank you for your report.');
    expect(html).toMatch(/href="\/products\/drill-18"[^>]*>Back to the product/);
  });

  test('asks whether the deal expired if the deal is not compared with others', async () => {
    expect((await visitor().open(other)).html).toContain('Has this deal expired?');
    expect((await visitor().sendAsHuman(other, { about: 'product' })).status).toBe(422);
  });
});

describe('the report page', () => {
  test('accepts a report after the question without JavaScript, and links back', async () => {
    const somebody = visitor();
    const form = await somebody.open(path);
    expect(form.status).toBe(200);
    expect(form.html).toContain('name="robots" content="noindex');
    const { status, html } = await somebody.sendAsHuman(path, over);
    expect(status).toBe(200);
    expect(html).toContain('Thank you for your report.');
    expect(html).toMatch(/href="\/deals\/drill"[^>]*>Back to the deal/);
  });

  test.each([
    ['the report page', path, 1],
    ['the sign-up page', '/sign-up', 1],
    ['a missing page', '/nothing/here', 0],
  ])(
    'hides the footer’s captcha on %s until the footer is touched, but not the page’s own',
    async (_, url, own) => {
      const { html } = await visitor().open(url);
      const [main = '', footer = ''] = html.split('<footer');
      const states = (part: string) =>
        [...part.matchAll(/<div class="[^"]+" data-needs-js="[^"]*" data-state="(\w+)"/g)].map(
          ([, state]) => state,
        );
      expect(states(main)).toHaveLength(own);
      expect(states(footer)).toEqual(['idle']);
      const style = import.meta.resolve('../../platform/captcha/captcha-field.module.css');
      const css = readFileSync(fileURLToPath(style), 'utf8');
      expect(css).toMatch(/footer \.box\)\[data-state='idle'\][^{]*\{\s*display: none;/);
    },
  );

  test('asks a signed-in user only for the report, without a captcha', async () => {
    const { cookie } = await signIn(database);
    const { html } = await site.page(path, { headers: { cookie } });
    const main = /<main.*<\/main>/s.exec(html)?.[0];
    expect(main).toContain('Yes, it has expired');
    expect(main).not.toContain('To keep machines out');
    const answer = await site.page(path, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams(over),
    });
    expect(answer.html).toContain('Thank you for your report.');
  });

  test('shows the errors of a report', async () => {
    const code = { about: 'code', code: 'SAVE10' };
    const answers = await Promise.all([
      visitor().sendAsHuman('/deals/drill/report?about=code', code),
      visitor().sendAsHuman('/deals/drill/report?about=code', { ...code, code: 'OTHER' }),
      visitor().sendAsHuman(path, {}),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(answers[0]?.html).toContain('Choose whether the code worked.');
    expect(answers[1]?.html).toContain('The code of this deal was changed or removed.');
  });

  test('returns 404 for a report on a missing deal, and states if the deal has expired', async () => {
    expect((await visitor().open('/deals/none/report')).status).toBe(404);
    expect((await visitor().open('/deals/a%00b/report')).status).toBe(404);
    expect((await visitor().send('/deals/none/report', over)).status).toBe(404);
    await insertDeal(database.db, { slug: 'past', expires_at: new Date('2026-01-01') });
    expect((await visitor().open('/deals/past/report')).html).toContain('already expired');
    expect((await visitor().send('/deals/past/report', over)).status).toBe(422);
  });
});
