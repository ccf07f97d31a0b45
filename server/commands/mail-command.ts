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
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { describeMail, mailTransportOf } from '#app/platform/mail/smtp-transport.server.ts';
import {
  type CommandContext,
  print,
  printJson,
  wholeNumber,
  withDatabase,
} from '#server/commands/with-database.ts';
import { loadMailKinds } from '#server/site-sources.ts';

export const mailCommand = new Command('mail').description('mails of the site');

mailCommand
  .command('list')
  .description('list mails, newest first')
  .addOption(new Option('--state <state>', 'only those').choices(mailStates))
  .option('--limit <number>', 'how many', wholeNumber, 20)
  .option('--json', 'print them as JSON')
  .action((options: { state?: MailState; limit: number; json?: boolean }) =>
    withDatabase(async ({ database }) => {
      const { limit, state = null } = options;
      const entries = await listOutbox(database.db, { state, limit });
      if (options.json) return printJson(entries);
      if (entries.length === 0) return print('There are no mails.');
      for (const { id, state: now, kind, recipient, reply, last_error } of entries) {
        print(
          `${String(id).padStart(6)}  ${now.padEnd(9)}  ${kind}  ${recipient}  ${reply ?? last_error ?? ''}`,
        );
      }
    }),
  );

mailCommand
  .command('show')
  .description('print one mail as text, links included until it is sent')
  .argument('<id>', 'its number in the list', wholeNumber)
  .option('--html', 'as HTML')
  .action((id: number, options: { html?: boolean }) =>
    withDatabase(async ({ database: { db }, env }) => {
      const mail = await findOutboxMail(db, id);
      if (!mail) throw new Error(`There is no mail ${id}.`);
      const kind = (await loadMailKinds())[mail.kind];
      const purpose = mail.state === 'sent' ? 'look' : 'print';
      const written = await kind?.write(db, mail, await readMailSite(db, env), purpose);
      if (!written)
        throw new Error('This mail cannot be shown any more: what it was about is gone.');
      if (options.html) return print(written.html);
      print(
        `To: ${mail.recipient}\nSubject: ${written.subject}\nState: ${mail.state}\n\n${written.text}`,
      );
      if (written.text.includes(hiddenQuery)) {
        print(`\nIts links left with it: the site keeps none. They end in ${hiddenQuery} here.`);
      }
    }),
  );

mailCommand
  .command('test')
  .description('send a test mail and print what the mail server says')
  .argument('<email>', 'where to')
  .action((email: string) =>
    withDatabase(async (context) => {
      const { db } = context.database;
      const to = readMailAddress(email);
      if (to === null) throw new Error(`${email} is not one plain email address.`);
      const askedAt = new Date().toISOString();
      const queued = await queueMail(db, {
        key: `test:${askedAt}`,
        kind: 'test',
        to,
        props: { askedAt },
      });
      if (!queued.queued) throw new Error('A test was asked for a moment ago.');
      await sendNow(context);
      const mail = await findOutboxMail(db, queued.id);
      const words = mail?.reply ?? mail?.last_error ?? '';
      print(
        `Mail ${queued.id} by ${describeMail(context.env.mail)}: ${mail?.state} ${words}`.trim(),
      );
      if (mail?.state === 'failed' || (mail?.state === 'queued' && words !== ''))
        process.exitCode = 1;
    }),
  );

mailCommand
  .command('retry')
  .description('put mails that failed, wait or were kept back into the queue')
  .argument('[id]', 'one mail; without it, all of them', wholeNumber)
  .action((id: number | undefined) =>
    withDatabase(async ({ database }) => {
      const count = await retryMails(database.db, id ?? null);
      print(
        count === 0
          ? 'There is nothing to send again.'
          : `${count} queued; a running site sends them.`,
      );
    }),
  );

/** Beside a running site this is one more worker: a mail belongs to whoever leases it first. */
async function sendNow({ database, env, log }: CommandContext): Promise<void> {
  const transport = mailTransportOf(env);
  const kinds = await loadMailKinds();
  await sendDueMails({ db: database.db, env, log }, { kinds, readSite: readMailSite, transport });
  transport?.close();
}
