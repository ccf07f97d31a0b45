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
import {
  findOutboxMail,
  findOutboxMails,
  type OutboxEntry,
  storeSubjects,
} from '#app/platform/mail/outbox-queries.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Db } from '#database/connect.ts';
import type { Context } from '../frame/read-or-fail.server.ts';

/** Returns an email with its content. */
export async function readOutboxMail(context: Context, viewer: SessionUser, id: string) {
  const mail = await findOutboxMail(appServices(context).db, parseRowId(id) ?? 0);
  return mail && { mail, content: await readContent(context, viewer, mail) };
}

/**
 * Returns the entries with their subjects. The subject is `null` if this viewer may not read the
 * email, or if its reason is gone. Subjects are read and stored once, except those of emails
 * about accounts.
 */
export async function withSubjects(
  context: Context,
  viewer: SessionUser,
  entries: readonly OutboxEntry[],
): Promise<OutboxEntry[]> {
  const services = appServices(context);
  const { db, log } = services;
  const unread = entries.filter(({ subject }) => subject === null).map(({ id }) => id);
  const { shown, found } = await readSubjects(context, viewer, unread);
  try {
    await storeSubjects(services.primary ?? db, found);
  } catch (error) {
    log.warn({ err: error }, 'subjects of emails were not stored');
  }
  return entries.map((entry) => ({
    ...entry,
    subject: (entry.subject ?? shown.get(entry.id)) || null,
  }));
}

/**
 * Returns the subjects to show, and those to store. A subject is empty if the email's reason is
 * gone.
 */
async function readSubjects(context: Context, viewer: SessionUser, ids: readonly number[]) {
  const shown = new Map<number, string>();
  const found = new Map<number, string>();
  if (ids.length === 0) return { shown, found };
  const { db, env, log } = appServices(context);
  const [mails, site] = [await findOutboxMails(db, ids), await readMailSite(db, env)];
  for (const mail of mails.values()) {
    const kind = context.get(mailKindsContext)[mail.kind];
    if (!kind?.readSubject) continue;
    try {
      if (kind.isAboutAccount && !(await mayRead(db, viewer, mail))) continue;
      const subject = (await kind.readSubject(db, mail, site, 'look')) ?? '';
      shown.set(mail.id, subject);
      if (!kind.isAboutAccount) found.set(mail.id, subject);
    } catch (error) {
      // One email that cannot be rendered must not hide the others.
      log.warn({ err: error, mail: mail.id }, 'the subject of an email could not be read');
    }
  }
  return { shown, found };
}

type Content =
  /** The email's text. If `hidesLinks`, links that act for the recipient are removed. */
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
