import { sql } from 'kysely';
import { errorCode } from '#database/error-code.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { hashToken, newToken } from '../hash-token.server.ts';
import { covers, type Holder, isStaff, type Right, rightsHeldBy } from '../policy.ts';
import { lockRole } from './change-role.server.ts';
import type { InvitationRefusal } from './invitation-messages.ts';
import { nameRole } from './role-choice.ts';
import { findSetRights, setNameOf, setRightsOf } from './set-rights.server.ts';
import { userByEmail } from './user-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;
interface Inviter {
  id: string;
  rights: { has(right: Right): boolean };
}
export type InviteResult = { ok: true; email: string } | { ok: false; reason: InvitationRefusal };

const goodForDays = 7;
const end = sql<Date>`now() + make_interval(days => ${goodForDays})`;

/**
 * Returns whether the inviter may invite to this role, which must not have more rights than their
 * own.
 */
export const mayInviteTo = ({ rights }: Pick<Inviter, 'rights'>, invited: Holder) =>
  rights.has('users.invite') && covers(rights, rightsHeldBy(invited));

/**
 * Invites an address to the staff by an email with its own link. A new invitation replaces an
 * expired one.
 */
export async function inviteStaff(
  services: Services,
  inviter: Inviter,
  {
    email,
    role,
    rightSet = null,
    words,
  }: { email: string; role: Exclude<Role, 'user'>; rightSet?: string | null; words: string },
): Promise<InviteResult> {
  const { db, log } = services;
  const invited = { role, rightSet, setRights: await findSetRights(db, rightSet) };
  if (!mayInviteTo(inviter, invited)) return { ok: false, reason: 'not-allowed' };
  const known = await userByEmail(db, email).select(['role', 'suspended_at']).executeTakeFirst();
  if (known?.suspended_at) return { ok: false, reason: 'suspended' };
  if (known && isStaff(known.role)) return { ok: false, reason: 'staff' };
  if (!(await mayMail(services, email))) return { ok: false, reason: 'too-many' };
  try {
    const result = await db.transaction().execute(async (tx): Promise<InviteResult> => {
      const roleName = await lockRole(tx, { role, rightSet });
      if (roleName === null) return { ok: false, reason: 'no-role' };
      await tx
        .updateTable('staff_invitations')
        .set({ ended_at: sql<Date>`now()`, outcome: 'withdrawn' })
        .where('email', '=', email)
        .where('ended_at', 'is', null)
        .where('expires_at', '<', sql<Date>`now()`)
        .execute();
      const { id } = await tx
        .insertInto('staff_invitations')
        .values({
          email,
          role,
          right_set: rightSet,
          words,
          invited_by: inviter.id,
          expires_at: end,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await mail(tx, { id, email, mails: 1 });
      await audit(tx, 'invitation.send', { actor: inviter.id, id }, { role: roleName });
      return { ok: true, email };
    });
    if (result.ok) log.info({ event: 'staff-invited', by: inviter.id, role }, 'staff invited');
    return result;
  } catch (error) {
    if (errorCode(error) !== '23505') throw error;
    return { ok: false, reason: 'invited' };
  }
}

/**
 * Emails an invitation again, valid for another seven days, in the current user's name. Returns
 * `null` if the invitation is no longer open.
 */
export async function resendInvitation(
  services: Services,
  inviter: Inviter,
  id: number,
): Promise<InviteResult | null> {
  const { db } = services;
  const found = await openById(db, id)
    .select(['email', 'role', 'right_set as rightSet'])
    .select(setRightsOf('staff_invitations').as('setRights'))
    .executeTakeFirst();
  if (!found) return null;
  if (!mayInviteTo(inviter, found)) return { ok: false, reason: 'not-allowed' };
  if (!(await mayMail(services, found.email))) return { ok: false, reason: 'too-many' };
  return db.transaction().execute(async (tx) => {
    const sent = await tx
      .updateTable('staff_invitations')
      .set((eb) => ({
        sent_at: sql<Date>`now()`,
        expires_at: end,
        mails: eb('mails', '+', 1),
        invited_by: inviter.id,
      }))
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .returning(['id', 'email', 'mails'])
      .executeTakeFirst();
    if (!sent) return null;
    await mail(tx, sent);
    await audit(tx, 'invitation.resend', { actor: inviter.id, id });
    return { ok: true, email: sent.email };
  });
}

/**
 * Ends an invitation with all its links. A queued email remains. Returns `false` if the invitation
 * is no longer open.
 */
export function withdrawInvitation(db: Db, actor: string, id: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('staff_invitations')
      .set({ ended_at: sql<Date>`now()`, outcome: 'withdrawn' })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await audit(tx, 'invitation.withdraw', { actor, id });
    return true;
  });
}

const openById = (db: Db, id: number) =>
  db
    .selectFrom('staff_invitations')
    .where('staff_invitations.id', '=', id)
    .where('staff_invitations.ended_at', 'is', null);

async function mayMail(services: Services, email: string): Promise<boolean> {
  const toThem = await limit(services, 'staff-invitation', email);
  return toThem.ok && (await limit(services, 'staff-invitation-site', '')).ok;
}

const mailKey = (id: number, nth: number) => `staff-invitation:${id}:${nth}`;

async function mail(tx: Tx, { id, email, mails }: { id: number; email: string; mails: number }) {
  const key = mailKey(id, mails);
  await queueMail(tx, { key, kind: 'staff-invitation', to: email, props: { invitationId: id } });
}

function audit(
  tx: Tx,
  action: string,
  { actor, id }: { actor: string; id: number },
  after?: object,
) {
  return writeAudit(tx, { actor, action, entity: 'invitation', entityId: id, after });
}

/**
 * Returns the content of the invitation email. Returns `null` once the invitation is accepted,
 * withdrawn or expired.
 */
export async function findInvitationEmail(db: Db, mailed: OutboxMail<{ invitationId?: number }>) {
  const found = await openById(db, mailed.payload.invitationId ?? 0)
    .leftJoin('users as u', 'u.id', 'staff_invitations.invited_by')
    .select(['staff_invitations.id', 'staff_invitations.role', 'words'])
    .select('staff_invitations.right_set as rightSet')
    .select(setNameOf('staff_invitations').as('setName'))
    .select(['expires_at as expiresAt', 'u.email as inviterEmail', 'u.full_name as inviterName'])
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!found?.inviterEmail) return null;
  const { inviterEmail, inviterName, role, rightSet, setName, ...letter } = found;
  const roleName = nameRole({ role, rightSet, setName });
  return {
    ...letter,
    role: roleName,
    inviter: inviterName ? `${inviterName} (${inviterEmail})` : inviterEmail,
  };
}

/** Creates a new link for each email, and stores only the link's hash. */
export async function makeInvitationPath(db: Db, id: number): Promise<string> {
  const token = newToken();
  await db
    .updateTable('staff_invitations')
    .set({ link_hashes: sql<string[]>`array_append(link_hashes, ${hashOfLink(token)})` })
    .where('id', '=', id)
    .execute();
  return `/invitation?token=${token}`;
}

/** The purpose is part of the hash, so that no other link's token matches. */
export const hashOfLink = (token: string) => hashToken(`invitation:${token}`);

export type OpenInvitation = Awaited<ReturnType<typeof listOpenInvitations>>[number];

/**
 * Returns the invitations neither accepted nor withdrawn, newest first. `mail` is the state of the
 * last email.
 */
export function listOpenInvitations(db: Db) {
  const key = sql<string>`'staff-invitation:' || i.id || ':' || i.mails`;
  return db
    .selectFrom('staff_invitations as i')
    .leftJoin('users as u', 'u.id', 'i.invited_by')
    .leftJoin('mail_outbox as m', (join) => join.on('m.key', '=', key))
    .select(['i.id', 'i.email', 'i.role', 'i.sent_at', 'i.expires_at', 'u.email as inviter'])
    .select(['i.right_set as rightSet', setNameOf('i').as('setName')])
    .select(['m.state as mail', sql<boolean>`i.expires_at < now()`.as('isOver')])
    .where('i.ended_at', 'is', null)
    .orderBy('i.id', 'desc')
    .execute();
}
