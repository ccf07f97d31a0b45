import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { codeNow, keyIn } from '#test/authenticator-app.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { givePassword, flashOf, signedInVisitor, staffPassword } from '#test/staff.ts';
import { changeSettings } from '#app/features/site-settings/change-settings.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';

const database = useTestDatabase();
const site = testSite(database);

/** Creates an administrator whose account or session has, or lacks, two-factor. */
async function admin(has: { code?: boolean; passkey?: boolean } = {}) {
  const visitor = await signedInVisitor(database, site, 'admin');
  const { code = false, passkey = false } = has;
  await database.db
    .updateTable('users')
    .set({ two_factor_enabled: code })
    .where('id', '=', visitor.userId)
    .execute();
  await database.db
    .updateTable('sessions')
    .set({ by_passkey: passkey })
    .where('user_id', '=', visitor.userId)
    .execute();
  return visitor;
}

async function demand(isDemanded: boolean) {
  const visitor = await admin({ code: true });
  const { html } = await visitor.open('/admin/settings?section=staff');
  const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
  const sent = await visitor.send('/admin/settings?section=staff', {
    staffSecondFactor: isDemanded ? 'on' : '',
    version,
  });
  expect(flashOf(sent)).toBe('Settings saved.');
}

// Proves R50: demanded of staff (staff-guard.server.ts, section-form.tsx)
describe('R50: when two-factor is required for staff', () => {
  test('refuses every page, data request and post of the admin without two-factor, and explains how to set it up', async () => {
    const visitor = await admin();
    expect((await visitor.open('/admin/deals')).status).toBe(200);
    await demand(true);

    const page = await visitor.open('/admin/deals');
    expect(page.status).toBe(403);
    const words = textOf(page.html);
    expect(words).toContain('Two-Factor Required');
    expect(page.html).toContain('href="/profile/two-factor"');
    expect(page.html).toContain('href="/profile/passkeys"');
    expect((await visitor.open('/admin/deals.data')).status).toBe(403);
    expect(
      (await visitor.open('/admin/outbox.data?_routes=admin%2Foutbox%2Foutbox-page')).status,
    ).toBe(403);

    const form = { name: 'Boats', slug: 'boats' };
    expect((await visitor.send('/admin/categories', { intent: 'create', ...form })).status).toBe(
      403,
    );
    const categories = await database.db.selectFrom('categories').select('id').execute();
    expect(categories).toEqual([]);

    // The pages to set up two-factor stay accessible.
    expect((await visitor.open('/profile/two-factor')).status).toBe(200);
    expect((await visitor.open('/profile/passkeys')).status).toBe(200);
  });

  test.each([{ code: true }, { passkey: true }])(
    'opens the admin for %o when two-factor is required',
    async (has) => {
      await demand(true);
      const visitor = await admin(has);
      expect((await visitor.open('/admin/deals')).status).toBe(200);
      expect((await visitor.open('/admin/deals.data')).status).toBe(200);
    },
  );

  test('requires two-factor from the next request on, and stops when it is turned off', async () => {
    const visitor = await admin();
    await demand(true);
    expect((await visitor.open('/admin')).status).toBe(403);
    await demand(false);
    expect((await visitor.open('/admin')).status).toBe(200);
  });

  test('explains the requirement to users who are not staff, and does not ask them to sign in again', async () => {
    await demand(true);
    const user = await signedInVisitor(database, site, 'user');
    expect(textOf((await user.open('/admin')).html)).toContain('Access Restricted');
    const nobody = await site.page('/admin');
    expect(nobody.status).toBe(401);
    expect(textOf(nobody.html)).toContain('Authentication Required');
  });

  test('requires two-factor by a setting saved without the form, and logs the change', async () => {
    const visitor = await admin();
    const saved = await changeSettings(database.db, {
      section: 'staff',
      change: { staffSecondFactor: true },
      actor: visitor.userId,
      expectedVersion: 0,
    });
    expect(saved).toEqual({ ok: true, changed: ['staffSecondFactor'] });
    expect((await visitor.open('/admin')).status).toBe(403);
    const entry = await database.db.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ action: 'settings.update', after: { staffSecondFactor: true } });
  });
});

// Proves R64: asked before one shuts oneself out (act-on-settings.server.ts, change-maintenance.server.ts)
describe('R64: an administrator who requires two-factor without having it', () => {
  const path = '/admin/settings?section=staff';
  const isDemanded = async () => (await readSiteSettings(database.db)).staffSecondFactor;

  test('R64: warns an administrator without two-factor before requiring it, then returns from setup to the form', async () => {
    const visitor = await admin();
    await givePassword(database, visitor.userId);
    const page = await visitor.send(path, { staffSecondFactor: 'on', version: '0' });
    expect(page.status).toBe(409);
    expect(textOf(page.html)).toContain('this would lock you out at once');
    expect([await isDemanded(), (await visitor.open('/admin')).status]).toEqual([false, 200]);

    const back = '%2Fadmin%2Fsettings%3Fsection%3Dstaff%26demand';
    expect(page.html).toContain(`href="/profile/two-factor?returnTo=${back}"`);
    const way = `/profile/two-factor?returnTo=${back}`;
    const begun = await visitor.send(way, { intent: 'begin', password: staffPassword });
    const link = /href="(otpauth:[^"]+)"/.exec(begun.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const done = await visitor.send(way, { intent: 'confirm', code: codeNow(keyIn(link)) });
    expect(textOf(done.html)).toContain('Keep these backup codes');
    expect(done.html).toContain('href="/admin/settings?section=staff&amp;demand"');

    const form = await visitor.open(`${path}&demand`);
    expect(form.html).toMatch(/<input[^>]*name="staffSecondFactor"[^>]*checked=""/);
    expect(await isDemanded()).toBe(false);
    const saved = await visitor.send(path, { staffSecondFactor: 'on', version: '0' });
    expect(flashOf(saved)).toBe('Settings saved.');
    expect([await isDemanded(), (await visitor.open('/admin')).status]).toEqual([true, 200]);
  });

  test('lets an administrator without two-factor confirm the requirement, and redirects to its setup on the next screen', async () => {
    const visitor = await admin();
    const fields = { staffSecondFactor: 'on', confirmed: 'on', version: '0' };
    expect((await visitor.send(path, fields)).status).toBe(302);
    expect([await isDemanded(), (await visitor.open('/admin')).status]).toEqual([true, 403]);
  });

  test('asks for no confirmation when the requirement is turned off, or from staff with a code or passkey', async () => {
    for (const has of [{ code: true }, { passkey: true }]) {
      const visitor = await admin(has);
      for (const staffSecondFactor of ['on', '']) {
        const { html } = await visitor.open(path);
        expect(html).not.toContain('name="confirmed"');
        const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
        const sent = await visitor.send(path, { staffSecondFactor, version });
        expect(flashOf(sent)).toBe('Settings saved.');
      }
    }
  });
});
