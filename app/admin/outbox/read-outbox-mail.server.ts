import type { RouterContextProvider } from 'react-router';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { isAboutStaff } from '#app/features/accounts/people/user-table-queries.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import {
  hiddenQuery,
  type OutboxMail,
  type WrittenMail,
} from '#app/platform/mail/mail-kind.server.ts';
import { mailKindsOf } from '#app/platform/mail/mail-kinds-context.server.ts';
import { findOutboxMail } from '#app/platform/mail/outbox-queries.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Db } from '#database/connect.ts';

export interface ReadMail {
  mail: OutboxMail;
  content:
    /** `hidesLinks`: some of its links act for the recipient, so they are not whole. */
    | { state: 'written'; written: WrittenMail; hidesLinks: boolean }
    /** It cannot be written any more: what it was about is gone. */
    | { state: 'gone' }
    /** See below. */
    | { state: 'private' };
}

/**
 * One mail with its content as it would be written now, but for the links that act for its recipient: nobody reads
 * those in a browser (R60). What a mail says about the account of somebody on the staff is for them and a super_admin.
 */
export async function readOutboxMail(
  context: Readonly<RouterContextProvider>,
  viewer: SessionUser,
  id: string,
): Promise<ReadMail | null> {
  const { db, env } = appServices(context);
  const mail = await findOutboxMail(db, parseRowId(id) ?? 0);
  if (!mail) return null;
  const kind = mailKindsOf(context)[mail.kind];
  if (!kind) return { mail, content: { state: 'gone' } };
  if (kind.isAboutAccount && !(await mayRead(db, viewer, mail))) {
    return { mail, content: { state: 'private' } };
  }
  const written = await kind.write(db, mail, await readMailSite(db, env), 'look');
  if (!written) return { mail, content: { state: 'gone' } };
  const hidesLinks = written.text.includes(hiddenQuery);
  return { mail, content: { state: 'written', written, hidesLinks } };
}

async function mayRead(db: Db, viewer: SessionUser, mail: OutboxMail): Promise<boolean> {
  if (viewer.role === 'super_admin' || mail.user_id === viewer.id) return true;
  return !(await isAboutStaff(db, { email: mail.recipient, id: mail.user_id }));
}
