import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { testServices } from '#test/services.ts';
import { findOpenSession } from '../sessions/session-queries.server.ts';
import { checkPassword } from '../passwords/check-password.server.ts';
import { type Right, rightsOf } from '../policy.ts';
import { findInvitation, joinAsMember, joinAsNew } from './accept-invitation.server.ts';
import { changeRole } from './change-role.server.ts';
import {
  inviteStaff,
  listOpenInvitations,
  resendInvitation,
  withdrawInvitation,
} from './invite-staff.server.ts';
import { suspendUser } from './suspend-user.server.ts';

const database = useTestDatabase();
const services = () => testServices(database);
const owner = { id: 'owner', rights: rightsOf('super_admin') };
// The email limit is stored per process and address.
let email = '';
let number = 0;
beforeEach(async () => {
  email = `new-${(number += 1)}@mail.example`;
  await insertUser(database.db, { id: 'owner', role: 'super_admin', email: 'o@shop.example' });
});

const invite = (overrides: Partial<Parameters<typeof inviteStaff>[2]> = {}, inviter = owner) =>
  inviteStaff(services(), inviter, { email, role: 'admin', words: 'Welcome!', ...overrides });
const token = async () =>
  /token=([\w-]+)/.exec(await mailedPath(database.db, 'staff-invitation'))?.[1] ?? '';
const person = { fullName: 'Nina New', password: 'walking the hills' };
const find = async (of: string) => findInvitation(database.db, of);
const userOf = (address: string) =>
  database.db
    .selectFrom('users')
    .select(['id', 'role', 'email_verified', 'full_name'])
    .where('email', '=', address)
    .executeTakeFirst();
const first = async () => (await listOpenInvitations(database.db))[0]?.id ?? 0;

describe('inviting', () => {
  // Proves R02: invitations, to no role above one’s own (invite-staff.server.ts)
  test('R02: refuses an invitation to a role with more rights than the inviter’s', async () => {
    await insertUser(database.db, { id: 'clerk', role: 'admin' });
    const clerk = { id: 'clerk', rights: rightsOf('admin') };
    expect(await invite({}, clerk)).toEqual({ ok: false, reason: 'not-allowed' });
    // The role is hypothetical: such a user may invite, but not grant all rights.
    const rights = new Set<Right>([...rightsOf('admin'), 'users.invite']);
    const lead = { id: 'clerk', rights };
    expect(await invite({ role: 'super_admin' }, lead)).toEqual({
      ok: false,
      reason: 'not-allowed',
    });
    expect(await invite({ role: 'admin' }, lead)).toEqual({ ok: true, email });
  });

  test('refuses to invite staff, suspended and invited people, and allows registered visitors', async () => {
    await insertUser(database.db, { email: 'clerk@mail.example', role: 'admin' });
    expect(await invite({ email: 'clerk@mail.example' })).toEqual({ ok: false, reason: 'staff' });
    await insertUser(database.db, { id: 'bad', email: 'bad@mail.example' });
    await suspendUser(services(), { actor: 'owner', userId: 'bad', reason: 'Bad' });
    expect(await invite({ email: 'bad@mail.example' })).toEqual({ ok: false, reason: 'suspended' });
    await insertUser(database.db, { email });
    const both = await Promise.all([invite(), invite()]);
    expect(both).toEqual(
      expect.arrayContaining([
        { ok: true, email },
        { ok: false, reason: 'invited' },
      ]),
    );
    expect(await listOpenInvitations(database.db)).toMatchObject([
      { email, role: 'admin', inviter: 'o@shop.example', mail: 'queued', isOver: false },
    ]);
  });

  // Proves R60: links of invitations (invite-staff.server.ts)
  test('R60: stores only a hash of the invitation link, and logs no email address', async () => {
    await invite();
    const link = await token();
    expect(link).toMatch(/^[\w-]{43}$/);
    for (const table of ['staff_invitations', 'mail_outbox', 'audit_log'] as const) {
      const rows = JSON.stringify(await database.db.selectFrom(table).selectAll().execute());
      expect(rows).not.toContain(link);
    }
    const log = await database.db.selectFrom('audit_log').selectAll().execute();
    expect(log).toMatchObject([
      { actor: 'owner', action: 'invitation.send', entity: 'invitation', after: { role: 'admin' } },
    ]);
    expect(JSON.stringify(log)).not.toContain(email);
  });

  test('resends an invitation for seven more days, three times an hour at most, and withdraws it', async () => {
    await invite();
    const id = await first();
    const old = await token();
    await sql`update staff_invitations set expires_at = now() - interval '1 minute'`.execute(
      database.db,
    );
    expect(await find(old)).toEqual({ ok: false, reason: 'over' });
    expect(await resendInvitation(services(), owner, id)).toEqual({ ok: true, email });
    expect(await find(old)).toMatchObject({ ok: true });
    expect(await find(await token())).toMatchObject({ ok: true });
    await resendInvitation(services(), owner, id);
    expect(await resendInvitation(services(), owner, id)).toEqual({
      ok: false,
      reason: 'too-many',
    });
    expect(await database.db.selectFrom('mail_outbox').select('id').execute()).toHaveLength(3);

    expect(await withdrawInvitation(database.db, 'owner', id)).toBe(true);
    expect(await withdrawInvitation(database.db, 'owner', id)).toBe(false);
    expect(await resendInvitation(services(), owner, id)).toBeNull();
    expect(await find(old)).toEqual({ ok: false, reason: 'withdrawn' });
    await expect(token()).rejects.toThrow('contains no link');
  });

  test('replaces an expired invitation', async () => {
    await invite();
    await sql`update staff_invitations set expires_at = now() - interval '1 minute'`.execute(
      database.db,
    );
    expect(await invite({ role: 'super_admin' })).toEqual({ ok: true, email });
    expect(await listOpenInvitations(database.db)).toMatchObject([{ role: 'super_admin' }]);
  });
});

describe('accepting', () => {
  test('creates one verified account with the role, even for two acceptances at the same moment', async () => {
    await invite();
    const link = await token();
    const both = await Promise.all([
      joinAsNew(services(), link, person),
      joinAsNew(services(), link, person),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'accepted' });
    const user = await userOf(email);
    expect(user).toMatchObject({ role: 'admin', email_verified: true, full_name: 'Nina New' });
    expect(await checkPassword(services(), email, person.password)).toMatchObject({ ok: true });
    expect(await find(link)).toEqual({ ok: false, reason: 'accepted' });
    const log = await database.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
    expect(log.at(-1)).toMatchObject({
      actor: user?.id,
      action: 'user.join',
      after: { role: 'admin' },
    });
  });

  test('requires a strong password to accept an invitation, and keeps the link valid until then', async () => {
    await invite();
    const link = await token();
    const weak = await joinAsNew(services(), link, { ...person, password: '123456' });
    expect(weak).toMatchObject({ ok: false, reason: 'weak' });
    expect(await joinAsNew(services(), link, person)).toMatchObject({ ok: true });
  });

  // Proves R59: invitations (accept-invitation.server.ts)
  test('R59: takes over an account that a stranger created with the invited email', async () => {
    await insertUser(database.db, { id: 'stranger', email, email_verified: false });
    await database.db
      .insertInto('sessions')
      .values({ id: 's', user_id: 'stranger', token: 'x', expires_at: new Date(Date.now() + 1e6) })
      .execute();
    await invite();
    const link = await token();
    expect(await joinAsMember(services(), link, { id: 'stranger' })).toEqual({
      ok: false,
      reason: 'other-account',
    });
    expect(await joinAsNew(services(), link, person)).toEqual({ ok: true, userId: 'stranger' });
    expect(await userOf(email)).toMatchObject({ full_name: 'Nina New', email_verified: true });
    expect(await database.db.selectFrom('sessions').select('id').execute()).toEqual([]);
  });

  test('accepts an invitation for the account of the invited email only, and ends its sessions with the old rights', async () => {
    await insertUser(database.db, { id: 'nina', email });
    await insertUser(database.db, { id: 'other' });
    await database.db
      .insertInto('sessions')
      .values({ id: 's', user_id: 'nina', token: 'x', expires_at: new Date(Date.now() + 1e6) })
      .execute();
    await invite();
    const link = await token();
    expect(await joinAsNew(services(), link, person)).toEqual({ ok: false, reason: 'has-account' });
    expect(await joinAsMember(services(), link, { id: 'other' })).toEqual({
      ok: false,
      reason: 'other-account',
    });
    expect(await joinAsMember(services(), link, { id: 'nina' })).toEqual({
      ok: true,
      userId: 'nina',
    });
    expect(await userOf(email)).toMatchObject({ role: 'admin' });
    expect(await findOpenSession(database.db, 'x')).toBeNull();
  });

  test('does not remove rights from someone who was given more in the meantime', async () => {
    await insertUser(database.db, { id: 'nina', email });
    await invite();
    const link = await token();
    await changeRole(database.db, { actor: 'owner', userId: 'nina', role: 'super_admin' });
    expect(await joinAsMember(services(), link, { id: 'nina' })).toMatchObject({ ok: true });
    expect(await userOf(email)).toMatchObject({ role: 'super_admin' });
  });

  test.each(['demoted', 'suspended', 'deleted'] as const)(
    'rejects an invitation when the inviter is %s',
    async (fate) => {
      await insertUser(database.db, { id: 'second', role: 'super_admin' });
      await invite();
      const link = await token();
      const act = { actor: 'second', userId: 'owner' };
      if (fate === 'demoted') await changeRole(database.db, { ...act, role: 'admin' });
      else if (fate === 'suspended') await suspendUser(services(), { ...act, reason: 'Left' });
      else await database.db.deleteFrom('users').where('id', '=', 'owner').execute();
      expect(await joinAsNew(services(), link, person)).toEqual({
        ok: false,
        reason: 'not-allowed',
      });
      expect(await userOf(email)).toBeUndefined();
      // A colleague then resends the invitation in their own name.
      const second = { id: 'second', rights: rightsOf('super_admin') };
      await resendInvitation(services(), second, await first());
      expect(await find(link)).toMatchObject({ ok: true });
    },
  );

  test('rejects every other invitation token', async () => {
    await invite();
    await token();
    for (const other of ['', 'x', 'x'.repeat(100)]) {
      expect(await find(other)).toEqual({ ok: false, reason: 'unknown' });
    }
  });
});
