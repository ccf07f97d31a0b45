import {
  areWebhooksDue,
  sendDueWebhooks,
} from '#app/features/webhooks/send-due-webhooks.server.ts';
import { handOverMail } from '#app/features/alert-channels/hand-over-mail.server.ts';
import {
  areAlertMessagesDue,
  sendAlertMessages,
} from '#app/features/alert-channels/send-alert-messages.server.ts';
import { planChannelPosts } from '#app/features/channels/plan-channel-posts-job.server.ts';
import {
  areChannelPostsDue,
  sendChannelPosts,
} from '#app/features/channels/send-channel-posts.server.ts';
import { areAlertsDue, checkAlerts } from '#app/features/price-alerts/check-alerts-job.server.ts';
import {
  isDiscoveryDue,
  sendDiscovery,
} from '#app/features/discovery/send-discovery-job.server.ts';
import { arePushesDue, sendDuePushes } from '#app/features/price-alerts/send-due-pushes.server.ts';
import { postPush } from '#app/platform/push/post-push.server.ts';
import { writeDigest } from '#app/features/newsletter/write-digest.server.ts';
import {
  areNewslettersDue,
  queueNewsletters,
} from '#app/features/newsletter/queue-newsletters.server.ts';
import {
  areSubscriberMovesDue,
  moveSubscribers,
} from '#app/features/moved-subscribers/run-subscriber-move.server.ts';
import { arePriceMovesDue, movePrices } from '#app/features/moved-prices/run-price-move.server.ts';
import { mails } from '#app/mails.server.ts';
import { pushes } from '#app/pushes.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { backUp, tryBackup } from '#app/platform/backups/back-up-job.server.ts';
import { isMailBarred } from '#app/features/accounts/people/suspend-user.server.ts';
import { readBounceMailbox } from '#app/platform/mail/reports/read-bounce-mailbox-job.server.ts';
import { areMailsDue, sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { openMailEnv } from '#app/features/site-settings/read-mail-env.server.ts';
import { mailTransportOf } from '#app/platform/mail/smtp-transport.server.ts';
import {
  areBulkChangesDue,
  makeBulkChanges,
} from '#app/features/deals/make-bulk-changes-job.server.ts';
import {
  continueCurrencyChange,
  isCurrencyChangeDue,
} from '#app/features/site-settings/switch-currency.server.ts';
import {
  areMovedPicturesDue,
  fetchMovedPictures,
} from '#app/features/moved-posts/fetch-moved-pictures-job.server.ts';
import { areMovesDue, movePosts } from '#app/features/moved-posts/move-posts-job.server.ts';
import { showDuePosts } from '#app/features/blog/show-due-posts-job.server.ts';
import { areProductsDue, matchProducts } from '#app/features/products/match-offers.server.ts';
import {
  areSuggestionsDue,
  suggestMatches,
} from '#app/features/products/suggest-matches-job.server.ts';
import { checkDiscounts } from '#app/features/prices/check-discounts.server.ts';
import { forecastPrices } from '#app/features/prices/forecast-prices.server.ts';
import { isFirstSealDue, sealDays } from '#app/features/evidence/seal-days-job.server.ts';
import { witnessSites } from '#app/features/evidence/witness-sites-job.server.ts';
import { ageStandings } from '#app/features/prices/age-standings-job.server.ts';
import { checkLinks } from '#app/features/deals/check-links-job.server.ts';
import { countClicksAnew } from '#app/features/clicks/click-queries.server.ts';
import { expireDeals } from '#app/features/deals/expire-deals-job.server.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import type { Job } from '#app/platform/run-jobs.server.ts';
import { arePicturesDue, fetchPictures } from '#app/features/pictures/fetch-pictures-job.server.ts';
import { tidyPictures } from '#app/features/pictures/tidy-pictures-job.server.ts';
import {
  areSearchesDue,
  notifyOfSearches,
} from '#app/features/watched-searches/notify-of-searches-job.server.ts';
import { remindOfFavorites } from '#app/features/favorites/remind-of-favorites-job.server.ts';
import { mailFollows } from '#app/features/follows/mail-follows-job.server.ts';
import { importCouponFeed } from '#app/features/coupons/import-coupon-feed.server.ts';
import { queueDueImports } from '#app/features/feeds/runs/queue-import.server.ts';
import {
  areImportsDue,
  areImportsWaiting,
  forgetOldImports,
  noteLostImport,
  runQueuedImports,
} from '#app/features/feeds/runs/run-queued-imports-job.server.ts';

const groups: Readonly<Record<string, readonly Job[]>> = {
  'Mail and push': [
    {
      name: 'send-mails',
      isDue: areMailsDue,
      run: async (services, signal) => {
        const mail = await openMailEnv(services);
        const env = { ...services.env, mail };
        const transport = mailTransportOf(mail);
        await sendDueMails(
          { ...services, env },
          {
            kinds: mails,
            readSite: readMailSite,
            transport,
            isBarred: isMailBarred,
            handOver: handOverMail,
            signal,
          },
        );
      },
    },
    { name: 'read-bounces', schedule: 'every 5 minutes', run: readBounceMailbox },
    {
      name: 'send-pushes',
      isDue: arePushesDue,
      run: async (services, signal) => {
        const site = await readMailSite(services.db, services.env);
        await sendDuePushes(services, { kinds: pushes, post: postPush, site, signal });
      },
    },
    {
      name: 'send-alert-messages',
      isDue: areAlertMessagesDue,
      run: async (services, signal) => void (await sendAlertMessages(services, { signal })),
    },
    forgetting('forget-old-mails', 'daily at 03:40'),
  ],
  Newsletter: [
    { name: 'queue-newsletters', isDue: areNewslettersDue, run: queueNewsletters },
    {
      name: 'move-subscribers',
      isDue: areSubscriberMovesDue,
      run: ({ db }, signal) => moveSubscribers(db, signal),
    },
    {
      name: 'write-weekly-digest',
      schedule: 'hourly at :07 on Mondays and Tuesdays',
      run: async ({ db, now }, signal) => void (await writeDigest(db, 'weekly', now(), signal)),
    },
    {
      name: 'write-hot-deals',
      schedule: 'hourly at :22',
      run: async ({ db, now }, signal) => void (await writeDigest(db, 'hot', now(), signal)),
    },
  ],
  'Alerts, searches and favorites': [
    {
      name: 'check-alerts',
      isDue: areAlertsDue,
      run: ({ db }, signal) => checkAlerts(db, signal),
    },
    { name: 'tell-of-searches', isDue: areSearchesDue, run: notifyOfSearches },
    {
      name: 'remind-of-favorites',
      schedule: 'every 10 minutes',
      run: ({ db }, signal) => remindOfFavorites(db, signal),
    },
    { name: 'mail-follows', schedule: 'hourly at :37', run: mailFollows },
  ],
  Webhooks: [
    {
      name: 'send-webhooks',
      isDue: areWebhooksDue,
      run: async (services, signal) => void (await sendDueWebhooks(services, { signal })),
    },
    forgetting('forget-old-deliveries', 'daily at 03:50'),
  ],
  Channels: [
    {
      name: 'plan-channel-posts',
      schedule: 'every minute',
      run: (services, signal) => planChannelPosts(services, signal),
    },
    {
      name: 'send-channel-posts',
      isDue: areChannelPostsDue,
      run: async (services, signal) => void (await sendChannelPosts(services, { signal })),
    },
  ],
  Discovery: [
    {
      name: 'notify-search-engines',
      isDue: isDiscoveryDue,
      run: (services, signal) => sendDiscovery(services, { signal }),
    },
  ],
  Deals: [
    {
      name: 'make-bulk-changes',
      isDue: areBulkChangesDue,
      run: (services, signal) => makeBulkChanges(services, signal),
    },
    {
      name: 'expire-deals',
      schedule: 'every minute',
      run: ({ db }, signal) => expireDeals(db, signal),
    },
    {
      name: 'check-links',
      schedule: 'every minute',
      run: (services, signal) => checkLinks(services, { signal }),
    },
    {
      name: 'match-products',
      isDue: areProductsDue,
      run: ({ db }, signal) => matchProducts(db, signal),
    },
    {
      name: 'suggest-matches',
      isDue: areSuggestionsDue,
      run: ({ db }, signal) => suggestMatches(db, signal),
    },
    forgetting('empty-trash', 'daily at 04:40'),
  ],
  Prices: [
    // The job runs once a day, and the later hours resume an interrupted run.
    { name: 'seal-prices', schedule: 'hourly from 00:10 to 05:10', run: sealDays },
    { name: 'seal-first-days', isDue: isFirstSealDue, run: sealDays },
    { name: 'witness-sites', schedule: 'hourly from 01:25 to 05:25', run: witnessSites },
    { name: 'check-discounts', schedule: 'hourly at :12', run: checkDiscounts },
    // The job runs once a day, and the later hours resume an interrupted run.
    { name: 'forecast-prices', schedule: 'hourly from 01:20 to 05:20', run: forecastPrices },
    {
      name: 'age-standings',
      schedule: 'daily at 03:20',
      run: ({ db }, signal) => ageStandings(db, signal),
    },
    {
      name: 'move-prices',
      isDue: arePriceMovesDue,
      run: ({ db }, signal) => movePrices(db, signal),
    },
    { name: 'change-currency', isDue: isCurrencyChangeDue, run: continueCurrencyChange },
    forgetting('forget-old-reductions', 'daily at 04:30'),
  ],
  Pictures: [
    {
      name: 'fetch-pictures',
      isDue: arePicturesDue,
      run: (services, signal) => fetchPictures(services, { signal }),
    },
    {
      name: 'tidy-pictures',
      schedule: 'hourly at :25',
      run: (services, signal) => tidyPictures(services, signal),
    },
  ],
  Imports: [
    {
      name: 'run-imports',
      isDue: areImportsDue,
      run: async (services, signal) => {
        await runQueuedImports(services, signal, { importCoupons: importCouponFeed });
      },
      apart: { isWanted: areImportsWaiting, afterDeath: noteLostImport },
    },
    {
      name: 'queue-due-imports',
      schedule: 'every minute',
      run: async ({ db }) => void (await queueDueImports(db)),
    },
    { name: 'forget-old-imports', schedule: 'daily at 04:20', run: forgetOldImports },
  ],
  Clicks: [
    {
      name: 'count-clicks-anew',
      schedule: 'hourly at :07',
      run: ({ db }, signal) => countClicksAnew(db, signal),
    },
    forgetting('forget-old-clicks', 'daily at 04:10'),
  ],
  Blog: [
    { name: 'show-due-posts', schedule: 'every minute', run: ({ db }) => showDuePosts(db) },
    { name: 'move-posts', isDue: areMovesDue, run: movePosts },
    {
      name: 'fetch-moved-pictures',
      isDue: areMovedPicturesDue,
      run: (services, signal) => fetchMovedPictures(services, { signal }),
    },
  ],
  Site: [
    forgetting('forget-spent-attempts', 'every 15 minutes'),
    { name: 'back-up', schedule: 'daily at 02:45', run: backUp },
    { name: 'try-backup', schedule: 'weekly at 04:15 on Sundays', run: tryBackup },
  ],
};

/**
 * Every background job with its schedule: the site's second table of contents, beside `routes.ts`.
 */
export const jobs: readonly Job[] = Object.entries(groups).flatMap(([group, some]) =>
  some.map((job) => ({ ...job, group })),
);

/**
 * Creates a job that deletes old rows. `database/table-registry.ts` lists the rows and their age.
 */
function forgetting(name: string, schedule: string): Job {
  return { name, schedule, run: ({ db }, signal) => forgetOldRows(db, name, signal) };
}
