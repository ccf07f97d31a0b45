import { forgetOldMails } from '#app/platform/mail/outbox-queries.server.ts';
import { writeWeeklyDigest } from '#app/features/newsletter/write-weekly-digest.server.ts';
import { mails } from '#app/mails.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { mailTransportOf } from '#app/platform/mail/smtp-transport.server.ts';
import { expireDeals } from '#app/features/deals/expire-deals-job.server.ts';
import type { Job } from '#app/platform/run-jobs.server.ts';
import { remindOfFavorites } from '#app/features/favorites/remind-of-favorites-job.server.ts';
import { forgetSpentAttempts } from '#app/platform/forget-spent-attempts.server.ts';

/** Every background job with its schedule: the second table of contents, beside `routes.ts`. */
export const jobs: readonly Job[] = [
  {
    name: 'send-mails',
    everySeconds: 2,
    run: async (services, signal) => {
      const transport = mailTransportOf(services.env);
      await sendDueMails(services, { kinds: mails, readSite: readMailSite, transport, signal });
    },
  },
  {
    name: 'remind-of-favorites',
    schedule: '*/10 * * * *',
    run: ({ db }) => remindOfFavorites(db),
  },
  {
    name: 'forget-spent-attempts',
    schedule: '*/15 * * * *',
    run: ({ db }) => forgetSpentAttempts(db),
  },
  {
    name: 'write-weekly-digest',
    schedule: '7 * * * 1,2',
    run: async ({ db, now }) => void (await writeWeeklyDigest(db, now())),
  },
  { name: 'forget-old-mails', schedule: '40 3 * * *', run: ({ db }) => forgetOldMails(db, 90) },
  { name: 'expire-deals', schedule: '* * * * *', run: ({ db }) => expireDeals(db) },
];
