import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { staffPassword } from '#test/staff.ts';
import { examine, openAndExamine } from './examine-page.ts';
import { sentFaults } from './html-faults.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { waitForToast as toast } from './wait-for-text.ts';

const browser = useBrowser();

async function staff(role: Role, options: BrowserContextOptions = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  const rights = { role, password: staffPassword };
  await openStaffSession(visitor.page.context(), 'people', rights);
  return visitor;
}

async function fillLists(): Promise<void> {
  await withShopDatabase(async (db) => {
    await insertUser(db, { id: 'ann', email: 'ann@journey.example', full_name: 'Ann of journeys' });
    await db
      .insertInto('newsletter_subscriptions')
      .values([
        { email: '=cmd@journey.example' },
        { email: 'left@journey.example', is_active: false, unsubscribed_at: new Date() },
      ])
      .execute();
    await db
      .insertInto('contact_messages')
      .values({
        id: 900_001,
        name: 'Ada',
        email: 'ada@journey.example',
        subject: 'A price is wrong',
        message: 'The lamp\ncosts more.',
      })
      .execute();
  });
}

describe('users and subscribers', () => {
  test('R02, R50: lets a super_admin, but not an admin, grant a role after entering the password', async () => {
    await fillLists();
    const { page, complaints } = await staff('super_admin');
    await page.goto('/admin/users?q=ann+of');
    await page.getByRole('button', { name: 'Actions for Ann of journeys' }).click();
    await page.locator(':popover-open').getByRole('link', { name: 'Change role' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ann of journeys' });
    await dialog.getByLabel('Role', { exact: true }).selectOption('admin');
    await dialog.getByLabel('Your password').fill('not my password');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.getByRole('alert').getByText('That password is incorrect').waitFor();
    complaints.splice(0); // the browser reports the status 422
    expect(await dialog.getByLabel('Role', { exact: true }).inputValue()).toBe('admin');
    await dialog.getByLabel('Your password').fill(staffPassword);
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await toast(page, 'User role updated successfully!');
    await page
      .getByRole('row', { name: /Ann of journeys/ })
      .getByText('Admin')
      .waitFor();
    expect(complaints).toEqual([]);

    await page.goto('/admin/audit?entity=user&id=ann');
    await page.getByRole('row', { name: /changed the role of .* from user to admin/ }).waitFor();

    const clerk = await staff('admin');
    await clerk.page.goto('/admin/users?q=ann+of');
    await clerk.page.getByText('Only a super admin can change roles').waitFor();
    await clerk.page.getByRole('link', { name: 'Ann of journeys' }).click();
    await clerk.page.getByRole('dialog', { name: 'Ann of journeys' }).waitFor();
    expect(await clerk.page.getByRole('button', { name: 'Change role' }).count()).toBe(0);
  });

  test('R31: requires the password before exporting a file that spreadsheets can open', async () => {
    const { page } = await staff('admin');
    await page.goto('/admin/subscriptions?status=unsubscribed');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export CSV' });
    await dialog.getByLabel('Your password').fill(staffPassword);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^newsletter-subscriptions-\d{4}-\d\d-\d\d\.csv$/);
    const file = await readFile(await download.path());
    const [head, ...rows] = parse(file, { bom: true });
    expect(head).toEqual(['Email', 'Status', 'Subscribed At', 'Unsubscribed At']);
    expect(rows.map(([email, status]) => [email, status])).toEqual(
      expect.arrayContaining([
        ["'=cmd@journey.example", 'Active'],
        ['left@journey.example', 'Inactive'],
      ]),
    );
  });

  test('reactivates an unsubscribed address with a reason, and reads a message, without JavaScript', async () => {
    const { page } = await staff('admin', { javaScriptEnabled: false });
    await page.goto('/admin/subscriptions?q=left%40journey');
    await page.getByRole('button', { name: 'Actions for left@journey.example' }).click();
    await page.locator(':popover-open').getByRole('link', { name: 'Reactivate' }).click();
    await page.getByLabel('Reason').fill('Asked by phone');
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByText('Subscription activated successfully!').waitFor();
    await page.goto('/admin/messages');
    await page.getByRole('link', { name: 'A price is wrong' }).click();
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByText('Marked 1 message as read.').waitFor();
  });

  const addresses = [
    '/admin/users',
    '/admin/users/ann',
    '/admin/users/ann/delete',
    '/admin/users?q=nobody',
    '/admin/subscriptions',
    '/admin/subscriptions/export?refused=wrong',
    '/admin/messages',
    '/admin/messages/900001',
    '/admin/audit',
    '/admin/outbox',
  ];
  test.each([
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'passes the audit on the screens about people at $width pixels, $colorScheme',
    async (look) => {
      const { width, colorScheme } = look;
      const { page } = await staff('super_admin', {
        viewport: { width, height: 850 },
        colorScheme,
      });
      for (const address of addresses) {
        const faults = await openAndExamine(page, { name: address, address, status: 200 });
        expect([address, faults]).toEqual([address, []]);
        expect([address, (await sentFaults(page, address)).faults]).toEqual([address, []]);
      }
      await page.goto('/admin/subscriptions?q=journey');
      await page.getByRole('button', { name: 'Actions for left@journey.example' }).click();
      expect(await examine(page)).toEqual([]);
    },
  );
});
