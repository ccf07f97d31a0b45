import { listParameters, searchParameters } from '#app/features/deals/deal-list-input.ts';
import { historyParameters } from '#app/features/prices/price-history-queries.server.ts';
import { reductionParameters } from '#app/features/prices/discount-check-queries.server.ts';
import { isSitePath } from '#app/features/catalog/live-paths.server.ts';
import type { CachedPage } from '#app/platform/page-cache-rules.ts';
import { pagedParameters } from '#app/platform/page-number.ts';
import { parameterNames } from '#app/platform/page-parameters.ts';
import { couponParameters } from '#app/storefront/coupons/coupon-parameters.ts';
import { faqParameters, helpParameters } from '#app/storefront/reading/find-answers.server.ts';

const reads = parameterNames(listParameters(''));
const withoutParameters = [
  '/categories',
  '/blog/:slug',
  '/evidence',
  '/how-we-rank',
  '/feeds',
  '/about',
  '/developers',
  '/contact',
  '/privacy',
  '/terms',
  '/cookies',
  '/disclaimer',
];
const rendersOwn = parameterNames(searchParameters('')).filter((name) => !reads.includes(name));

/**
 * Every page that signed-out visitors share, with the parameters that it reads.
 * `cached-pages.test.ts` compares the list with what the pages read: a missing parameter would work
 * for signed-in users only.
 */
export const cachedPages: readonly CachedPage[] = [
  { path: '/deals', reads, rendersOwn },
  { path: '/deals/:slug', reads: parameterNames(historyParameters) },
  { path: '/products/:slug' },
  { path: '/categories/:slug', reads },
  { path: '/merchants', reads: parameterNames(pagedParameters) },
  { path: '/merchants/:slug', reads },
  { path: '/merchants/:slug/discount-check', reads: parameterNames(reductionParameters) },
  { path: '/coupons', reads: parameterNames(couponParameters) },
  { path: '/blog', reads: parameterNames(pagedParameters) },
  { path: '/help', rendersOwn: parameterNames(helpParameters) },
  { path: '/', rendersOwn: ['p', 'page_id'] },
  ...withoutParameters.map((path) => ({ path })),
  { path: '/faq', rendersOwn: parameterNames(faqParameters) },
  { path: '/*', except: isSitePath },
];
