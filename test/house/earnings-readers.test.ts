import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectFiles } from '#test/import-graph.ts';

// Earnings must never affect the order of deals, stores or search results. Only the code below may
// read earnings, and visitors see none of it.

const root = path.resolve(import.meta.dirname, '../..');
/** Outside code that imports the feature, with the reason. */
const allowed: Record<string, string> = {
  'app/admin/categories/manage-categories-page.tsx': 'earnings beside clicks',
  'app/admin/clicks/click-bars.tsx': 'earnings beside clicks',
  'app/admin/clicks/clicks-page.tsx': 'earnings beside clicks',
  'app/admin/coupons/manage-coupons-page.tsx': 'earnings beside clicks',
  'app/admin/dashboard/dashboard-page.tsx': 'the warning of stores without a sale',
  'app/admin/deals/admin-deals-page.tsx': 'earnings beside clicks',
  'app/admin/deals/deal-table-columns.tsx': 'earnings beside clicks',
  'app/admin/deals/edit-deal-page.tsx': 'earnings beside clicks',
  'app/admin/imports/imports-page.tsx': 'earnings beside clicks',
  'app/admin/merchants/edit-merchant-page.tsx': 'the network of a store',
  'app/admin/merchants/manage-merchants-page.tsx': 'earnings beside clicks',
  'app/admin/newsletters/newsletter-results.tsx': 'earnings beside clicks',
  'app/admin/newsletters/read-newsletter-page.server.ts': 'earnings beside clicks',
  'app/admin/slots/manage-slots-page.tsx': 'earnings beside clicks',
  'app/api/newsletter-link-route.ts': 'writes sub-ids into links',
  'app/api/out-coupon-route.ts': 'writes sub-ids into links',
  'app/api/out-route.ts': 'writes sub-ids into links',
  'app/api/out-slot-route.ts': 'writes sub-ids into links',
  'app/api/postback-route.ts': 'stores sales',
  'app/features/desk/recent-days.server.ts': 'the figures of the dashboard',
};

const isOwn = (file: string) => /^app\/(?:features|admin)\/earnings\//.test(file);
const sources = projectFiles('*.ts', '*.tsx', '*.sql')
  .filter((file) => /^(?:app|server|database\/functions)\//.test(file))
  .filter((file) => !/\.test\.tsx?$/.test(file) && !isOwn(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

test('reads earnings only in the admin, never where deals are ordered', () => {
  const readers = sources.filter(({ text }) => /features\/earnings\//.test(text));
  expect(readers.map(({ file }) => file).toSorted()).toEqual(Object.keys(allowed).toSorted());
  const isOrdering = /(?:search|catalog|deals|home|ranking|storefront|feeds|api\/v1)/;
  // Admin screens show earnings for rows that features have ordered. The public site imports no
  // admin code.
  const isScreen = /^app\/admin\/[^.]+\.tsx$/;
  const ordering = Object.keys(allowed).filter(
    (file) => isOrdering.test(path.dirname(file)) && !isScreen.test(file),
  );
  expect(ordering).toEqual([]);
});

test('names the earnings tables nowhere else', () => {
  const table = /\b(?:from|join|update|into)\s+(?:earnings|earning_\w+)\b|'earning(?:s|_\w+)'/;
  const naming = sources.filter(
    ({ file, text }) => table.test(text) && file !== 'app/admin/audit/audit-words.ts',
  );
  expect(naming.map(({ file }) => file)).toEqual([]);
});
