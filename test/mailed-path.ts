import { mails } from '#app/mails.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import type { Db } from '#database/connect.ts';
import { sampleSite } from '#test/sample-mails.ts';

/** Returns the path of the link in the newest email of a kind. Each call creates a new link. */
export async function mailedPath(db: Db, kind: string, recipient?: string): Promise<string> {
  const mail: OutboxMail = await db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('kind', '=', kind)
    .$if(recipient !== undefined, (query) => query.where('recipient', '=', recipient ?? ''))
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const written = await mails[kind]?.write(db, mail, sampleSite, 'print');
  const [address] = /https:\/\/\S+token=[\w.-]+/.exec(written?.text ?? '') ?? [];
  if (address === undefined) throw new Error(`The ${kind} mail contains no link.`);
  return address.slice(sampleSite.origin.length);
}
