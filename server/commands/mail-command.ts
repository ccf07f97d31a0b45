import { Command, Option } from 'commander';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import {
  findOutboxMail,
  listOutbox,
  retryMails,
} from '#app/platform/mail/outbox-queries.server.ts';
import { type MailState, mailStates } from '#app/platform/mail/mail-states.ts';
import { hiddenQuery } from '#app/platform/mail/mail-kind.server.ts';
import { print, printAs, wholeNumber, withDatabase } from '#server/commands/with-database.ts';
import { sendTestMail } from '#server/commands/send-test-mail.ts';
import { loadEntry } from '#server/site-sources.ts';

export const mailCommand = new Command('mail').description('emails of the site');

mailCommand
  .command('list')
  .description('list emails, newest first')
  .addOption(new Option('--state <state>', 'only emails in this state').choices(mailStates))
  .option('--limit <number>', 'how many', wholeNumber, 20)
  .option('--json', 'print them as JSON')
  .action((options: { state?: MailState; limit: number; json?: boolean }) =>
    withDatabase(async ({ database }) => {
      const { limit, state = null } = options;
      const entries = await listOutbox(database.db, { state, limit });
      const lines = entries.map(
        ({ id, state: now, kind, recipient, reply, last_error }) =>
          `${String(id).padStart(6)}  ${now.padEnd(9)}  ${kind}  ${recipient}  ${reply ?? last_error ?? ''}`,
      );
      printAs(options, entries, lines.join('\n') || 'There are no emails.');
    }),
  );

mailCommand
  .command('show')
  .description('print one email as text; links are shown until it is sent')
  .argument('<id>', 'number of the email in the list', wholeNumber)
  .option('--html', 'as HTML')
  .action((id: number, options: { html?: boolean }) =>
    withDatabase(async ({ database: { db }, env }) => {
      const mail = await findOutboxMail(db, id);
      if (!mail) throw new Error(`There is no email ${id}.`);
      const kind = (await loadEntry()).mails[mail.kind];
      const purpose = mail.state === 'sent' ? 'look' : 'print';
      const written = await kind?.write(db, mail, await readMailSite(db, env), purpose);
      if (!written)
        throw new Error(
          'This email can no longer be shown, because the data it was about no longer exists.',
        );
      if (options.html) return print(written.html);
      print(
        `To: ${mail.recipient}\nSubject: ${written.subject}\nState: ${mail.state}\n\n${written.text}`,
      );
      if (written.text.includes(hiddenQuery)) {
        print(
          `\nThe site does not store the links of sent emails. They end in ${hiddenQuery} here.`,
        );
      }
    }),
  );

mailCommand
  .command('test')
  .description(
    'send a test email and print the response of the mail server; exit code 1 unless it was sent',
  )
  .argument('<email>', 'where to')
  .action((email: string) =>
    withDatabase(async ({ database: { db }, env, log }) => {
      const to = readMailAddress(email);
      if (to === null) throw new Error(`${email} is not one plain email address.`);
      const { isSent, text } = await sendTestMail({ db, env, log }, to);
      print(text);
      if (!isSent) process.exitCode = 1;
    }),
  );

mailCommand
  .command('retry')
  .description('queue emails again that failed, are waiting or were not sent')
  .argument('[id]', 'id of one email; all of them by default', wholeNumber)
  .action((id: number | undefined) =>
    withDatabase(async ({ database }) => {
      const count = await retryMails(database.db, id ?? null);
      const words = `${count} queued; a running site sends them.`;
      print(count === 0 ? 'No email has failed, so there is nothing to send again.' : words);
    }),
  );
