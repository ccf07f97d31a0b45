import { mails } from '#app/mails.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { mailTransportOf } from '#app/platform/mail/smtp-transport.server.ts';
import { expireDeals } from '#app/features/deals/expire-deals-job.server.ts';
import type { Job } from '#app/platform/jobs.server.ts';

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
  { name: 'expire-deals', schedule: '* * * * *', run: ({ db }) => expireDeals(db) },
];
