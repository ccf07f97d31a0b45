import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { signIn } from '#test/staff.ts';
import { assignContactMessages } from '#app/features/contact/assign-contact-messages.server.ts';
import { rightsInForce } from '#app/features/public-api/api-key-rights.ts';
import { findApiKey } from '#app/features/public-api/api-key-queries.server.ts';
import { type Holder, rightsHeldBy, rightsOf, staffRights } from '../policy.ts';
import { findOpenSession } from '../sessions/session-queries.server.ts';
import { createRightSet, deleteRightSet, updateRightSet } from './change-right-sets.server.ts';
import { changeRole } from './change-role.server.ts';
import { endSessionsOf } from './end-others-sessions.server.ts';
import { inviteStaff } from './invite-staff.server.ts';
import { countHolders, findRightSet, listRightSets } from './right-set-queries.server.ts';
import { rightGroups, rightWords, withIncluded } from './right-words.ts';
import { nameRole, parseRole, roleValue, staffRoleOptions } from './role-choice.ts';
import { listPeopleWith } from './user-table-queries.server.ts';

const database = useTestDatabase();
const owner = { id: 'owner', rights: rightsOf('super_admin') };
beforeEach(async () => {
  await insertUser(database.db, { id: 'owner', role: 'super_admin' });
});

const create = async (name = 'Helper', actor = 'owner') => {
  const made = await createRightSet(database.db, { actor, name, rights: ['contact.manage'] });
  return made.ok ? made.id : 0;
};
const setOf = (id: string) =>
  database.db
    .selectFrom('users')
    .select(['role', 'right_set'])
    .where('id', '=', id)
    .executeTakeFirst();
const give = (userId: string, rightSet: string | null) =>
  changeRole(database.db, { actor: 'owner', userId, role: 'admin', rightSet });
const logged = (action: string) =>
  database.db
    .selectFrom('audit_log')
    .select(['actor', 'entity_id', 'before', 'after'])
    .where('action', '=', action)
    .orderBy('id')
    .execute();
const tokenOf = (cookie: string) => cookie.split('=')[1] ?? '';

describe('a user’s rights', () => {
  const held = (holder: Partial<Holder>) => [
    ...rightsHeldBy({ role: 'admin', rightSet: null, setRights: null, ...holder }),
  ];

  test('returns the role’s rights without a set, else the rights that role and set share', () => {
    expect(held({})).toEqual([...rightsOf('admin')]);
    const own = held({ rightSet: '7', setRights: ['blog.read'] });
    expect(own.filter((right) => !rightsOf('user').has(right))).toEqual([
      'admin.open',
      'blog.read',
    ]);
  });

  test('grants no more rights than the role, regardless of what a set contains', () => {
    const setRights = ['users.delete', 'users.change-role', 'mail.configure', 'root', 'blog.read'];
    const own = held({ rightSet: '7', setRights });
    expect(own.filter((right) => /^(?:users\.|mail\.|root)/.test(right))).toEqual([]);
    expect(held({ role: 'user', rightSet: 'editor' })).toEqual([...rightsOf('user')]);
    expect(held({ rightSet: 'toString' })).toEqual(held({ rightSet: '7', setRights: [] }));
  });
});

test('describes every right that a set may contain, once', () => {
  const listed = rightGroups.flatMap(({ rights }) => rights);
  expect(listed.toSorted()).toEqual([...staffRights].toSorted());
  expect(new Set(Object.values(rightWords).map(({ label }) => label)).size).toBe(listed.length);
  expect(listed).not.toContain('users.invite');
});

test('adds the rights that chosen ones include, and drops unknown ones', () => {
  expect(withIncluded(new Set(['blog.write', 'users.delete', 'admin.open', 'name']))).toEqual([
    'blog.read',
    'blog.write',
  ]);
});

test('accepts a role from a form only if it is built in or has a number', () => {
  for (const value of ['user', 'admin', 'super_admin', 'set-writer', 'set-12']) {
    const choice = parseRole(value);
    expect(choice && roleValue(choice)).toBe(value);
  }
  for (const value of [undefined, '', 'owner', 'set-', 'set-0', 'set-root', 'set-1 or 1', 'writer'])
    expect([value, parseRole(value)]).toEqual([value, null]);
  expect(nameRole({ role: 'admin', rightSet: '3', setName: 'Helper' })).toBe('Helper');
  expect(staffRoleOptions([{ id: 3, name: 'Helper' }]).map(({ value }) => value)).toEqual([
    'set-analyst',
    'set-writer',
    'set-editor',
    'set-3',
    'admin',
    'super_admin',
  ]);
});

describe('changing sets', () => {
  test('R02: lets only a super_admin create, change and delete sets', async () => {
    const id = await create();
    for (const [name, role] of [
      ['clerk', 'admin'],
      ['buyer', 'user'],
    ] as const) {
      await insertUser(database.db, { id: name, role });
      const refused = { ok: false, reason: 'not-allowed' };
      const fields = { actor: name, name: 'Mine', rights: [...staffRights] };
      expect(await createRightSet(database.db, fields)).toEqual(refused);
      expect(await updateRightSet(database.db, { ...fields, id, version: 1 })).toEqual(refused);
      expect(await deleteRightSet(database.db, { actor: name, id, to: null })).toEqual(refused);
    }
    expect(await listRightSets(database.db)).toMatchObject([{ name: 'Helper', version: 1 }]);
  });

  test('refuses the name of an existing role, in any letter case', async () => {
    await create('Helper');
    for (const name of ['helper', 'OWNER', 'Super Admin', 'Admin', 'user', 'Writer']) {
      const made = await createRightSet(database.db, { actor: 'owner', name, rights: [] });
      expect([name, made]).toEqual([name, { ok: false, reason: 'name-taken' }]);
    }
    const id = await create('Other');
    const fields = { actor: 'owner', id, version: 1, name: 'HELPER', rights: [] };
    expect(await updateRightSet(database.db, fields)).toMatchObject({ reason: 'name-taken' });
  });

  test('refuses a save from a stale tab, and returns the stored set', async () => {
    const id = await create();
    const fields = { actor: 'owner', id, version: 1, name: 'Helper' };
    expect(await updateRightSet(database.db, { ...fields, rights: ['blog.read'] })).toMatchObject({
      ok: true,
    });
    expect(await updateRightSet(database.db, { ...fields, rights: [] })).toMatchObject({
      ok: false,
      reason: 'changed-meanwhile',
      current: { version: 2, rights: ['blog.read'] },
    });
    expect(await updateRightSet(database.db, { ...fields, id: 99, rights: [] })).toMatchObject({
      reason: 'not-found',
    });
    expect(await logged('right-set.update')).toMatchObject([
      {
        actor: 'owner',
        entity_id: String(id),
        before: { name: 'Helper', rights: ['contact.manage'] },
        after: { name: 'Helper', rights: ['blog.read'] },
      },
    ]);
  });

  test('applies changed rights to an open session at once', async () => {
    const id = await create();
    const { user, cookie } = await signIn(database, { id: 'nina', role: 'admin' });
    await database.db
      .updateTable('users')
      .set({ right_set: String(id) })
      .where('id', '=', user.id)
      .execute();
    const rights = async () => {
      const session = await findOpenSession(database.db, tokenOf(cookie));
      return session ? rightsHeldBy(session) : new Set();
    };
    expect((await rights()).has('contact.manage')).toBe(true);
    const fields = { actor: 'owner', id, version: 1, name: 'Helper' };
    await updateRightSet(database.db, { ...fields, rights: ['blog.read'] });
    expect((await rights()).has('contact.manage')).toBe(false);
    expect((await rights()).has('blog.read')).toBe(true);
  });
});

describe('deleting a set', () => {
  test('deletes an unused set, and only once', async () => {
    const id = await create();
    const act = { actor: 'owner', id, to: null };
    const both = await Promise.all([
      deleteRightSet(database.db, act),
      deleteRightSet(database.db, act),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await logged('right-set.delete')).toMatchObject([{ before: { name: 'Helper' } }]);
  });

  test('keeps a set in use until another role is chosen, and signs its users out', async () => {
    const id = await create();
    const { cookie } = await signIn(database, { id: 'nina', role: 'admin' });
    await give('nina', String(id));
    expect(await findOpenSession(database.db, tokenOf(cookie))).toBeNull();
    const remove = (to: Parameters<typeof deleteRightSet>[1]['to']) =>
      deleteRightSet(database.db, { actor: 'owner', id, to });
    for (const to of [
      null,
      { role: 'admin', rightSet: String(id) },
      { role: 'super_admin', rightSet: null },
      { role: 'user', rightSet: null },
    ] as const) {
      expect(await remove(to)).toEqual({ ok: false, reason: 'in-use' });
    }
    expect(await remove({ role: 'admin', rightSet: '99' })).toMatchObject({ reason: 'no-target' });
    expect(await setOf('nina')).toEqual({ role: 'admin', right_set: String(id) });
    expect(await remove({ role: 'admin', rightSet: 'writer' })).toEqual({ ok: true, moved: 1 });
    expect(await setOf('nina')).toEqual({ role: 'admin', right_set: 'writer' });
    expect(await findRightSet(database.db, id)).toBeNull();
    expect((await logged('user.role')).at(-1)).toMatchObject({
      actor: 'owner',
      entity_id: 'nina',
      before: { role: 'Helper' },
      after: { role: 'Writer' },
    });
  });

  test('changes open invitations too, so that none grants more than it offered', async () => {
    const id = await create();
    const invitation = { email: 'new@mail.example', role: 'admin' as const, words: '' };
    const services = testServices(database);
    const sent = await inviteStaff(services, owner, { ...invitation, rightSet: String(id) });
    expect(sent).toMatchObject({ ok: true });
    expect(await deleteRightSet(database.db, { actor: 'owner', id, to: null })).toMatchObject({
      reason: 'in-use',
    });
    const to = { role: 'admin', rightSet: 'analyst' } as const;
    expect(await deleteRightSet(database.db, { actor: 'owner', id, to })).toMatchObject({
      ok: true,
    });
    const stored = await database.db
      .selectFrom('staff_invitations')
      .select('right_set')
      .executeTakeFirst();
    expect(stored).toEqual({ right_set: 'analyst' });
    expect(await logged('invitation.send')).toMatchObject([{ after: { role: 'Helper' } }]);
  });

  test('lets an assignment or a parallel deletion of a set succeed, but not both', async () => {
    const id = await create();
    await insertUser(database.db, { id: 'nina', role: 'admin' });
    const [given, deleted] = await Promise.all([
      give('nina', String(id)),
      deleteRightSet(database.db, { actor: 'owner', id, to: null }),
    ]);
    expect([given.ok, deleted.ok].filter(Boolean)).toHaveLength(1);
    const isLeft = (await findRightSet(database.db, id)) !== null;
    expect((await setOf('nina'))?.right_set).toBe(isLeft ? String(id) : null);
  });
});

describe('assigning a set', () => {
  test('refuses a missing set, and counts people by role and set', async () => {
    await insertUser(database.db, { id: 'nina', role: 'admin' });
    await insertUser(database.db, { id: 'otto', role: 'admin' });
    expect(await give('nina', '99')).toEqual({ ok: false, reason: 'no-role' });
    expect(await give('nina', 'writer')).toMatchObject({ ok: true });
    expect(await give('nina', 'writer')).toMatchObject({ ok: true });
    expect(await logged('user.role')).toHaveLength(1);
    expect(Object.fromEntries(await countHolders(database.db))).toEqual({
      super_admin: 1,
      admin: 1,
      writer: 1,
    });
  });

  test('lets a colleague get messages only with the right to answer them', async () => {
    await insertUser(database.db, { id: 'nina', role: 'admin' });
    const people = async () =>
      (await listPeopleWith(database.db, 'contact.manage')).map(({ id }) => id);
    expect(await people()).toContain('nina');
    await give('nina', 'writer');
    expect(await people()).not.toContain('nina');
    const act = { ids: [1], to: 'nina', actor: 'owner' };
    expect(await assignContactMessages(database.db, act)).toEqual({
      ok: false,
      reason: 'not-staff',
    });
  });

  test('removes the rights of API keys that the creator can no longer grant', async () => {
    await insertUser(database.db, { id: 'nina', role: 'admin' });
    await database.db
      .insertInto('api_keys')
      .values({
        name: 'Key',
        prefix: 'dh_abcdef',
        key_hash: 'hash',
        created_by: 'nina',
        rights: ['limits', 'clicks'],
      })
      .execute();
    const inForce = async () => {
      const key = await findApiKey(database.db, 'hash');
      return key ? [...rightsInForce(key, (role) => rightsHeldBy({ ...key, role }))] : [];
    };
    expect(await inForce()).toEqual(['limits', 'clicks']);
    await give('nina', 'analyst');
    expect(await inForce()).toEqual(['clicks']);
    await give('nina', String(await create()));
    expect(await inForce()).toEqual([]);
  });
});

describe('ending sessions of others', () => {
  test('R02: lets only a super_admin end sessions, of colleagues only', async () => {
    await insertUser(database.db, { id: 'clerk', role: 'admin' });
    await insertUser(database.db, { id: 'buyer' });
    const end = (actor: string, userId: string) =>
      endSessionsOf(database.db, { actor, userId, sessionId: null });
    expect(await end('clerk', 'owner')).toEqual({ ok: false, reason: 'not-allowed' });
    expect(await end('owner', 'owner')).toEqual({ ok: false, reason: 'self' });
    expect(await end('owner', 'buyer')).toEqual({ ok: false, reason: 'missing' });
    expect(await end('owner', 'nobody')).toEqual({ ok: false, reason: 'missing' });
  });

  test('ends one session or all, and records what ended', async () => {
    const first = await signIn(database, { id: 'nina', role: 'admin' });
    await signIn(database, { id: 'otto', role: 'admin' });
    const sessions = () =>
      database.db.selectFrom('sessions').select(['id', 'user_id']).orderBy('user_id').execute();
    const [own, others] = await sessions();
    const end = (sessionId: string | null) =>
      endSessionsOf(database.db, { actor: 'owner', userId: 'nina', sessionId });
    // Another colleague's session is not ended.
    expect(await end(others?.id ?? '')).toEqual({ ok: true, ended: 0 });
    expect(await end(own?.id ?? '')).toEqual({ ok: true, ended: 1 });
    expect(await findOpenSession(database.db, tokenOf(first.cookie))).toBeNull();
    expect(await end(null)).toEqual({ ok: true, ended: 0 });
    expect(await sessions()).toMatchObject([{ user_id: 'otto' }]);
    expect(await logged('user.end-session')).toMatchObject([
      { actor: 'owner', entity_id: 'nina', after: { browser: 'Unknown browser' } },
    ]);
    expect(await logged('user.end-sessions')).toEqual([]);
  });
});
