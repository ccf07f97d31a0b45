import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readQuestion } from '#test/visitor.ts';
import { useBrowser } from './open-browser.ts';
import { runCommand } from './run-command.ts';

const browser = useBrowser();
const password = 'walking the hills';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'alert-journey-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A product comes in by its merchant's feed, as prices do. */
async function importLamp(id: string, price: string): Promise<void> {
  const feed = path.join(folder, `${id}.csv`);
  await writeFile(
    feed,
    'Product ID;Product Name;Price;Currency;URL;Root Category;In Stock\n' +
      `${id};Lighthouse lamp ${id};${price};USD;https://lamps.example/${id};Lamps;true\n`,
  );
  await runCommand('import', feed, '--merchant', 'Lamps of the Journey');
}

interface ListedMail {
  id: number;
  kind: string;
  recipient: string;
}

async function findMail(recipient: string, kind: string): Promise<number> {
  let id = 0;
  await expect
    .poll(
      async () => {
        const mails: ListedMail[] = JSON.parse(
          await runCommand('mail', 'list', '--limit', '100', '--json'),
        );
        id = mails.find((mail) => mail.recipient === recipient && mail.kind === kind)?.id ?? 0;
        return id;
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBeGreaterThan(0);
  return id;
}

const linkIn = (text: string, start: string): string =>
  new RegExp(`https?://\\S+${start}\\S+`).exec(text)?.[0] ?? '';

/** Answers the question that stands on a page without scripts, after a first try without it. */
async function sendAsHuman(page: Page, fill: () => Promise<void>, button: string): Promise<void> {
  const submit = () =>
    page.locator('main').getByRole('button', { name: button, exact: true }).click();
  await fill();
  await submit();
  const question = readQuestion(await page.content());
  if (!question) throw new Error('the page asks no question');
  await page.locator('main [name="captcha_answer"]').fill(question.captcha_answer ?? '');
  await fill();
  await submit();
}

test('without script the same is done by forms', async () => {
  const lamp = `b${Date.now()}`;
  await importLamp(lamp, '40.00');
  const email = `forms-${lamp}@mail.example`;
  const { page } = await browser.visit({ javaScriptEnabled: false });
  const form = page.locator('main');

  await page.goto('/sign-up');
  await sendAsHuman(
    page,
    async () => {
      await form.getByLabel('Full Name').fill('Fay Forms');
      await form.getByLabel('Email').fill(email);
      await form.getByLabel('Password', { exact: true }).fill(password);
    },
    'Sign Up',
  );
  await page
    .getByText('Sign up successful! Please check your email to verify your account.')
    .waitFor();
  const mail = await runCommand('mail', 'show', String(await findMail(email, 'verify-email')));
  await page.goto(linkIn(mail, '/verify-email'));
  await form.getByRole('button').first().click();
  await page
    .getByText(/verified/i)
    .first()
    .waitFor();

  const deal = `/deals/lighthouse-lamp-${lamp}`;
  await page.goto(`/sign-in?returnTo=${deal}`);
  await sendAsHuman(
    page,
    async () => {
      await form.getByLabel('Email').fill(email);
      await form.getByLabel('Password', { exact: true }).fill(password);
    },
    'Sign In',
  );
  await page.waitForURL(`**${deal}`);
  await page.getByRole('button', { name: 'Favorite', exact: true }).first().click();
  await page.getByRole('button', { name: 'Favorited', exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Price Alert', exact: true }).first().click();
  await page.waitForURL('**/price-alerts/new?deal=*');
  await form.getByLabel('Target Price ($)').fill('30.00');
  await form.getByRole('button', { name: 'Create Alert' }).click();
  await page.waitForURL('**/price-alerts*');
  await page.getByText(`Lighthouse lamp ${lamp}`).first().waitFor();

  await importLamp(lamp, '29.00');
  const alert = await runCommand('mail', 'show', String(await findMail(email, 'price-alert')));
  expect(alert).toContain(`Subject: Now $29.00: Lighthouse lamp ${lamp}`);
  await page.goto(linkIn(alert, '/stop-mails'));
  await form.getByRole('button', { name: 'Stop this alert' }).click();
  await page.getByText('This price alert is stopped.').waitFor();
}, 120_000);
