import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { describeDeal } from '#app/features/newsletter/write-weekly-digest.server.ts';
import { alertListPath } from '#app/features/price-alerts/watch-link.server.ts';
import { priceDeals } from '#app/features/prices/price-deals.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import { shortTime } from '#app/platform/time-words.ts';
import { findSearchNews } from './watched-search-queries.server.ts';

/** A mail shows the first of them; all stand in the list. */
const mostShown = 8;

export const searchMails = {
  /** What was found, as it is when the mail leaves: what is over by then, or costs more than was asked for, is left out (R09). */
  'search-news': mailKind({
    isAboutAccount: false,
    load: () => import('./search-news-email.tsx'),
    async prepare(db, { payload }: OutboxMail<{ searchId?: number; mail?: number }>) {
      const news = await findSearchNews(db, payload.searchId ?? 0, payload.mail ?? 0);
      if (!news) return null;
      const { min_price, max_price, id, name, address, watcherId } = news;
      const there = (await listDealsByIds(db, news.dealIds)).filter(
        (deal) =>
          !deal.is_expired &&
          deal.sale_price >= (min_price ?? 0) &&
          deal.sale_price <= (max_price ?? deal.sale_price),
      );
      const settings = await readSiteSettings(db);
      const now = new Date();
      const priced = await priceDeals(db, there.slice(0, mostShown), settings, now);
      const deals = priced.flatMap((one) => describeDeal(one, settings.currency));
      if (deals.length === 0) return null;
      const { stopPath, unsubscribePath } = await stopMailPaths(db, {
        what: 'search',
        id: String(id),
      });
      const props = {
        name,
        address,
        count: there.length,
        deals,
        writtenAt: shortTime(now, settings.timeZone),
        stopPath,
        listPath: await alertListPath(db, watcherId),
      };
      return { props, unsubscribePath };
    },
  }),
};
