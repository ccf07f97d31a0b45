import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { describeDeals } from '#app/features/newsletter/write-digest.server.ts';
import { noteMailedPictures } from '#app/features/pictures/note-shown-pictures.server.ts';
import { priceDeals } from '#app/features/prices/price-deals.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import { shortTime } from '#app/platform/time-words.ts';
import { ask } from '#database/ask.ts';
import { getsWeeklyMail, listFollows } from './follow-queries.server.ts';
import { describeReasons } from './describe-reasons.server.ts';

/**
 * Omits deals that have ended since, and deals whose store, category and brand are no longer
 * followed.
 */
export const followMails = {
  'follows-weekly': mailKind({
    isAboutAccount: false,
    load: () => import('./follows-weekly-email.tsx'),
    async prepare(db, mail: OutboxMail<{ dealIds?: number[] }>, { origin }, purpose) {
      const userId = mail.user_id;
      const isMailed = await ask(db)
        .value<boolean>`select true from users where id = ${userId} and ${getsWeeklyMail}`;
      if (userId === null || isMailed === null) return null;
      const there = await listDealsByIds(db, mail.payload.dealIds ?? []);
      const reasons = await describeReasons(db, await listFollows(db, userId), there);
      const shown = there.filter(({ id, is_expired }) => !is_expired && reasons.has(id));
      if (purpose === 'send') await noteMailedPictures(db, shown, origin);
      const settings = await readSiteSettings(db);
      const now = new Date();
      const priced = await priceDeals(db, shown, settings, now);
      const reasonOf = new Map(shown.map(({ id, slug }) => [slug, reasons.get(id)]));
      const deals = (await describeDeals(db, priced, settings.currency)).map((deal) => ({
        ...deal,
        reason: reasonOf.get(deal.slug),
      }));
      if (deals.length === 0) return null;
      const paths = await stopMailPaths(db, { what: 'follows', id: userId });
      const writtenAt = shortTime(now, settings.timeZone);
      return {
        props: { deals, writtenAt, stopPath: paths.stopPath },
        unsubscribePath: paths.unsubscribePath,
      };
    },
  }),
};
