import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { givePassword, staffPassword } from '#test/staff.ts';
import { openAndExamine } from './examine-page.ts';
import { sentFaults } from './html-faults.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { waitForToast as toast } from './wait-for-text.ts';

const browser = useBrowser();

async function staff(role: Role, options: BrowserContextOptions = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  const rights = { role, password: staffPassword };
  const id = await openStaffSession(visitor.page.context(), 'colleagues', rights);
  return { ...visitor, id };
}

async function choose(page: Page, name: string, act: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.locator(':popover-open').getByText(act, { exact: true }).click();
}

describe('colleagues', () => {
  test('R02: lets an invited colleague join with a name and password, and work in the assigned role', async () => {
    const { page, complaints } = await staff('super_admin');
    const email = 'nina@colleagues.example';
    await page.goto('/admin/users');
    await page.getByRole('link', { name: 'Invite a colleague' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a colleague' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Message').fill('Glad to have you');
    await dialog.getByLabel('Your password').fill(staffPassword);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await toast(page, `Invitation sent to ${email}`);
    const open = page.getByRole('region', { name: 'Open invitations' });
    await open.getByText(email, { exact: true }).waitFor();
    await open.getByRole('button', { name: `Send again to ${email}` }).click();
    await toast(page, `Invitation sent to ${email} again`);
    expect(complaints).toEqual([]);

    const path = await withShopDatabase((db) => mailedPath(db, 'staff-invitation', email));
    const nina = await browser.visit({ reducedMotion: 'reduce' });
    const address = { name: 'invitation', address: path, status: 200 };
    expect(await openAndExamine(nina.page, address)).toEqual([]);
    await nina.page.getByText('invites').first().waitFor();
    await nina.page.getByLabel('Full Name').fill('Nina of colleagues');
    await nina.page.getByLabel('Password', { exact: true }).fill(staffPassword);
    await nina.page.getByRole('button', { name: 'Join the team' }).click();
    await nina.page.waitForURL('**/admin');
    await nina.page.getByRole('link', { name: 'Users', exact: true }).click();
    await nina.page
      .getByRole('row', { name: /Nina of colleagues/ })
      .getByText('Admin', { exact: true })
      .waitFor();
    // The role's limits apply, and the invitation has disappeared.
    expect(await nina.page.getByRole('link', { name: 'Invite a colleague' }).count()).toBe(0);
    const waiting = nina.page.getByRole('region', { name: 'Open invitations' });
    expect(await waiting.getByText(email, { exact: true }).count()).toBe(0);

    const late = await browser.visit({ reducedMotion: 'reduce' });
    await late.page.goto(path);
    await late.page.getByRole('main').getByText('already accepted').waitFor();

    await page.goto('/admin/audit');
    await page
      .getByRole('row', { name: /nina@colleagues.example joined the staff as admin/ })
      .waitFor();
  });

  test('shows immediately that an invitation was withdrawn', async () => {
    const { page } = await staff('super_admin');
    const email = 'withdrawn@colleagues.example';
    await page.goto('/admin/users/invite');
    const dialog = page.getByRole('dialog', { name: 'Invite a colleague' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Your password').fill(staffPassword);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await toast(page, `Invitation sent to ${email}`);
    const path = await withShopDatabase((db) => mailedPath(db, 'staff-invitation', email));
    const row = page.getByRole('listitem').filter({ hasText: email });
    await row.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Withdraw this invitation?' })
      .getByRole('button', { name: 'Withdraw' })
      .click();
    await toast(page, 'Invitation withdrawn.');
    await row.waitFor({ state: 'detached' });
    const guest = await browser.visit({ reducedMotion: 'reduce' });
    await guest.page.goto(path);
    await guest.page.getByRole('main').getByText('was withdrawn').waitFor();
  });

  test('R10: signs a suspended user out on the next click, and lets a reinstated user sign in', async () => {
    const email = 'rita@colleagues.example';
    await withShopDatabase(async (db) => {
      await insertUser(db, { id: 'rita', email, full_name: 'Rita of colleagues', role: 'admin' });
      await givePassword({ db }, 'rita');
    });
    const rita = await browser.visit({ reducedMotion: 'reduce' });
    const signIn = async () => {
      await rita.page.goto('/sign-in?returnTo=%2Fadmin%2Fmessages');
      const form = rita.page.getByRole('main');
      await form.getByLabel('Email', { exact: true }).fill(email);
      await form.getByLabel('Password', { exact: true }).fill(staffPassword);
      await form.getByRole('button', { name: 'Sign In', exact: true }).click();
    };
    await signIn();
    await rita.page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();

    const { page } = await staff('super_admin');
    await page.goto('/admin/users?q=rita+of');
    await choose(page, 'Rita of colleagues', 'Suspend');
    const dialog = page.getByRole('dialog', { name: 'Suspend user' });
    await dialog.getByLabel('Reason').fill('Left the company');
    await dialog.getByLabel('Your password').fill(staffPassword);
    await dialog.getByRole('button', { name: 'Suspend user' }).click();
    await toast(page, 'User suspended, and signed out everywhere.');
    await page
      .getByRole('row', { name: /Rita of colleagues/ })
      .getByText('Suspended')
      .waitFor();

    await rita.page.getByRole('link', { name: 'Deals', exact: true }).click();
    await rita.page.getByRole('heading', { name: 'Authentication Required' }).waitFor();
    await signIn();
    await rita.page.getByRole('alert').getByText('This account is suspended.').waitFor();
    rita.complaints.splice(0); // the browser reports the statuses 401 and 422

    await choose(page, 'Rita of colleagues', 'Reinstate');
    const back = page.getByRole('dialog', { name: 'Reinstate user' });
    await back.getByText('Left the company').waitFor();
    await back.getByLabel('Your password').fill(staffPassword);
    await back.getByRole('button', { name: 'Reinstate user' }).click();
    await toast(page, 'User reinstated. They can sign in again.');
    await signIn();
    await rita.page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();

    // A user's page shows this user's recent actions, with a link to all of them.
    await page.goto('/admin/users/rita');
    const person = page.getByRole('dialog', { name: 'Rita of colleagues' });
    await person.getByText('No actions in the admin yet.').waitFor();
    await person.getByRole('link', { name: 'Changes to this account' }).click();
    await page
      .getByRole('row', { name: /suspended .*rita@colleagues.example.* Left the company/ })
      .waitFor();
  });

  test('answers, assigns and closes a message, and sends a double-clicked reply once', async () => {
    await withShopDatabase(async (db) => {
      const row = {
        name: 'Ada',
        email: 'ada@colleagues.example',
        message: 'The lamp\ncosts more.',
      };
      const values = { ...row, id: 900_101, subject: 'The price of a lamp' };
      await db.insertInto('contact_messages').values(values).execute();
      await insertUser(db, {
        id: 'carl',
        email: 'carl@colleagues.example',
        full_name: 'Carl of colleagues',
        role: 'admin',
      });
    });
    const { page, complaints } = await staff('admin');
    await page.goto('/admin/messages');
    await page.getByRole('link', { name: 'The price of a lamp' }).click();
    await page.getByLabel('Your answer').fill('It is right now.');
    await page.getByRole('button', { name: 'Send answer' }).dblclick();
    await toast(page, 'Answer to ada@colleagues.example is on its way.');
    const thread = page.getByRole('list', { name: 'Messages and answers' });
    await thread.getByText('It is right now.').waitFor();
    expect(await thread.getByRole('listitem').count()).toBe(2);
    expect(await page.getByLabel('Your answer').inputValue()).toBe('');
    const answers = await withShopDatabase((db) =>
      db.selectFrom('contact_answers').select('id').where('message_id', '=', 900_101).execute(),
    );
    expect(answers).toHaveLength(1);

    // A draft reply is kept while the message is reassigned.
    await page.getByLabel('Your answer').fill('One more thing');
    await page
      .getByLabel('Assigned to')
      .selectOption({ label: 'Carl of colleagues (carl@colleagues.example)' });
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await toast(page, 'Assigned to carl@colleagues.example.');
    expect(await page.getByLabel('Your answer').inputValue()).toBe('One more thing');
    await page.getByLabel('Close the message with this answer').check();
    await page.getByRole('button', { name: 'Send answer' }).click();
    await toast(page, 'Message closed.');
    expect(await page.getByRole('link', { name: 'The price of a lamp' }).count()).toBe(0);
    await page.getByRole('navigation', { name: 'Views' }).getByText('Closed').click();
    const row = page.getByRole('row', { name: /The price of a lamp/ });
    await row.getByText('Carl of colleagues').waitFor();
    await choose(page, 'The price of a lamp', 'Reopen');
    await toast(page, 'Reopened 1 message.');
    expect(complaints).toEqual([]);
  });

  test.each([
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'passes the audit on the screens for colleagues at $width pixels, $colorScheme',
    async (look) => {
      const { width, colorScheme } = look;
      await withShopDatabase(async (db) => {
        const id = `shut-out-${width}`;
        const suspended = { suspended_at: new Date(), suspended_for: 'Left' };
        await insertUser(db, { id, email: `${id}@colleagues.example`, ...suspended });
        const invited = { email: `late-${width}@colleagues.example`, role: 'admin' as const };
        await db
          .insertInto('staff_invitations')
          .values({ ...invited, expires_at: new Date() })
          .execute();
      });
      const viewport = { width, height: 850 };
      const { page, id } = await staff('super_admin', { viewport, colorScheme });
      for (const address of [
        '/admin/users',
        '/admin/users/invite',
        `/admin/users/${id}`,
        `/admin/users/shut-out-${width}`,
        `/admin/users/shut-out-${width}/suspend`,
        '/admin/messages?state=all',
        '/admin/messages/900101',
        '/invitation?token=none',
      ]) {
        const status = address.startsWith('/invitation') ? 404 : 200;
        const faults = await openAndExamine(page, { name: address, address, status });
        expect([address, faults]).toEqual([address, []]);
        expect([address, (await sentFaults(page, address)).faults]).toEqual([address, []]);
      }
    },
  );
});
