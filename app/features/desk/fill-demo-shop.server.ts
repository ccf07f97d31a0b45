import type { AppServices } from '#app/platform/app-context.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { checkDiscounts } from '#app/features/prices/check-discounts.server.ts';
import { forecastDemoPast } from '#app/features/prices/forecast-demo-past.server.ts';
import { forecastPrices } from '#app/features/prices/forecast-prices.server.ts';
import { ask } from '#database/ask.ts';
import { type SeededCounts, seedDemo } from '#database/seed/seed-demo.ts';
import { linkDemoProducts } from './link-demo-products.server.ts';

/**
 * Adds the demo catalog with its products, and runs the nightly jobs for its prices. On a site with
 * its own deals, these jobs run only on schedule. Returns the number of added rows.
 */
export async function fillDemoShop({
  db,
  env,
  now,
}: Pick<AppServices, 'db' | 'env' | 'now'>): Promise<SeededCounts> {
  const counts = await seedDemo(db, { now: now(), media: openMedia({ db, env }) });
  if (counts.deals > 0) await linkDemoProducts(db);
  const hasOwn = await ask(db).value<boolean>`select exists (select from deals where not is_demo)`;
  if (counts.deals === 0 || hasOwn) return counts;
  await forecastDemoPast(db, now());
  await forecastPrices({ db, now });
  await checkDiscounts({ db });
  return counts;
}
