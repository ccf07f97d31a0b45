import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';
import { findTargets } from './find-targets.ts';

const database = useTestDatabase();
const site = testSite(database);
let staff: TestVisitor;
beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'admin');
});

const found = (text: string, may: (right: string) => boolean = () => true) =>
  findTargets(text, { has: may }).flatMap((group) => group.found.map(({ name }) => name));

describe('find', () => {
  test('links to rows, settings and screens without JavaScript', async () => {
    const deal = await insertDeal(database.db, { title: 'Clicking pen' });
    const { html } = await staff.open('/admin/find?q=clicki');
    expect(html).toContain(`href="/admin/deals/${deal.id}/edit"`);
    expect((await staff.open('/admin/find?q=clicks')).html).toContain('href="/admin/clicks"');
    expect((await staff.open('/admin/find?q=time+zone')).html).toContain(
      'href="/admin/settings?section=site"',
    );
    const { html: none } = await staff.open('/admin/find?q=zzzz');
    expect(none).toContain('Nothing matches “zzzz”.');
  });

  test('shows all actions and screens, but no settings, before anything is typed', () => {
    expect(found('')).toContain('Add Deal');
    expect(found('')).toContain('Dashboard');
    expect(found('')).not.toContain('Currency');
    expect(found('currency')).toContain('Currency');
  });

  test('finds only screens and settings that the user’s rights allow', () => {
    expect(found('deal', (right) => right === 'catalog.read')).toEqual(['Deals']);
    expect(found('email server', (right) => right !== 'mail.configure')).toEqual([]);
  });

  test('responds to a URL that is too long or contains control characters', async () => {
    const { status } = await staff.open(`/admin/find?q=${'x'.repeat(3000)}%00%ff`);
    expect(status).toBeLessThan(500);
  });
});
