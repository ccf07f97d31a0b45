import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { isAboutStaff } from '#app/features/accounts/people/user-table-queries.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import {
  hiddenQuery,
  mailKindsContext,
  type OutboxMail,
  type WrittenMail,
} from '#app/platform/mail/mail-kind.server.ts';
import { findOutboxMail, findOutboxMails } from '#app/platform/mail/outbox-queries.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Db } from '#database/connect.ts';
import type { Context } from '../frame/read-or-fail.server.ts';

/** Returns an email with its content. */
export async function readOutboxMail(context: Context, viewer: SessionUser, id: string) {
  const mail = await findOutboxMail(appServices(context).db, parseRowId(id) ?? 0);
  return mail && { mail, content: await readContent(context, viewer, mail) };
}

/**
 * Returns the entries with their subjects. The subject is `null` where this viewer may not read the
 * email, and where its reason is gone.
 */
export async function withSubjects<Entry extends { id: number }>(
  context: Context,
  viewer: SessionUser,
  entries: readonly Entry[],
): Promise<(Entry & { subject: string | null })[]> {
  const { db, env, log } = appServices(context);
  const ids = entries.map(({ id }) => id);
  const [mails, site] = [await findOutboxMails(db, ids), await readMailSite(db, env)];
  const read = async (mail: OutboxMail | undefined) => {
    const kind = mail && context.get(mailKindsContext)[mail.kind];
    if (!mail || !kind?.readSubject) return null;
    if (kind.isAboutAccount && !(await mayRead(db, viewer, mail))) return null;
    return kind.readSubject(db, mail, site, 'look');
  };
  const named: (Entry & { subject: string | null })[] = [];
  for (const entry of entries) {
    // One email that cannot be rendered must not hide the others.
    const subject = await read(mails.get(entry.id)).catch((error: unknown) => {
      log.warn({ err: error, mail: entry.id }, 'the subject of an email could not be read');
      return null;
    });
    named.push({ ...entry, subject });
  }
  return named;
}

type Content =
  /** The email's text. `hidesLinks`: links that act for the recipient are cut. */
  | { state: 'written'; written: WrittenMail; hidesLinks: boolean }
  /** The subject of the email has been deleted, or this viewer may not read it. */
  | { state: 'gone' | 'private' };

/**
 * Renders the email with current data, without links that act for its recipient. Emails about a
 * staff account may be read only by that member and super_admins.
 */
async function readContent(
  context: Context,
  viewer: SessionUser,
  mail: OutboxMail,
): Promise<Content> {
  const { db, env } = appServices(context);
  const kind = context.get(mailKindsContext)[mail.kind];
  if (!kind) return { state: 'gone' };
  if (kind.isAboutAccount && !(await mayRead(db, viewer, mail))) return { state: 'private' };
  const written = await kind.write(db, mail, await readMailSite(db, env), 'look');
  if (!written) return { state: 'gone' };
  return { state: 'written', written, hidesLinks: written.text.includes(hiddenQuery) };
}

async function mayRead(db: Db, viewer: SessionUser, mail: OutboxMail): Promise<boolean> {
  if (viewer.role === 'super_admin' || mail.user_id === viewer.id) return true;
  return !(await isAboutStaff(db, { email: mail.recipient, id: mail.user_id }));
}
