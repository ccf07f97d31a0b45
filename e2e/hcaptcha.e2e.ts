import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

// Tests a shop that uses hCaptcha. The widget is a fake script, and the service a fake server that
// implements the verification protocol.

const browser = useBrowser();
let service: Server;
let asked: Record<string, string>[] = [];
let verdict: object;
let page: Page;
let complaints: string[];
let form: Locator;

beforeAll(async () => {
  service = createServer((request, response) => {
    void answer(request, response);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
});
afterAll(() => {
  service.close();
  service.closeAllConnections();
});
const shop = useOwnShop(() => ({
  HCAPTCHA_SITEKEY: 'site-key',
  HCAPTCHA_SECRET: 'secret',
  HCAPTCHA_VERIFY_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}/siteverify`,
}));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  asked.push(Object.fromEntries(new URLSearchParams(await text(request))));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(verdict));
}

interface Widget {
  options: Record<string, unknown>;
  resets: number;
}
declare global {
  interface Window {
    standIns: Widget[];
  }
}

const script = `
window.standIns = [];
window.hcaptcha = {
  render(box, options) {
    box.append('the widget');
    return String(window.standIns.push({ options, resets: 0 }) - 1);
  },
  reset(id) { window.standIns[Number(id)].resets += 1; },
  remove() {},
};`;

beforeEach(async () => {
  asked = [];
  verdict = { success: true, hostname: 'localhost' };
  ({ page, complaints } = await browser.visit());
  await page.route('https://js.hcaptcha.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  form = page.locator('main form').filter({ has: page.getByLabel('Password', { exact: true }) });
});

async function openForm(): Promise<void> {
  await openHydrated(page, '/sign-in');
  await form.getByLabel('Email').fill('nobody@mail.example');
  await form.getByLabel('Password', { exact: true }).fill('not my password');
}

const button = () => form.getByRole('button', { name: 'Sign In', exact: true });
/** Makes the widget call its callback. */
async function call(
  name: 'callback' | 'expired-callback' | 'error-callback',
  word = '',
): Promise<void> {
  await page.waitForFunction(() => window.standIns?.length > 0);
  await page.evaluate(
    ([callback, value]) => {
      const { options } = window.standIns.at(-1) as Widget;
      (options[callback as string] as (word: string) => void)(value as string);
    },
    [name, word],
  );
}
const resets = () => page.evaluate(() => window.standIns[0]?.resets);

describe('P11: hCaptcha', () => {
  // Proves Storefront 9: Captcha widget: light, normal, tabindex 0, 78 px (use-captcha.ts, captcha-field.module.css)
  it('shows the hCaptcha widget with the light theme, in normal size, in keyboard order and 78 px high', async () => {
    await openForm();
    await form.getByText('the widget').waitFor();
    const [widget] = await page.evaluate(() => window.standIns);
    expect(widget?.options).toMatchObject({
      sitekey: 'site-key',
      theme: 'light',
      size: 'normal',
      tabindex: 0,
    });
    const box = form.getByText('the widget').locator('..');
    expect((await box.boundingBox())?.height).toBeGreaterThanOrEqual(78);
    expect(await button().isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('does not load hCaptcha until a form on the page is used', async () => {
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(shop().origin)) outside.push(request.url());
    });
    await openHydrated(page, '/how-we-rank');
    expect(outside).toEqual([]);
  });

  it('enables the button when hCaptcha issues a token, which the server verifies once', async () => {
    await openForm();
    await call('callback', 'token-1');
    await expect.poll(() => button().isEnabled()).toBe(true);
    await button().click();
    await form.getByText('Invalid email or password').waitFor();
    expect(asked).toMatchObject([{ response: 'token-1', secret: 'secret', sitekey: 'site-key' }]);
    // The widget is reset after every attempt, whatever the result.
    expect(await resets()).toBeGreaterThan(0);
    await expect.poll(() => button().isDisabled()).toBe(true);

    await call('callback', 'token-1');
    await button().click();
    await form.getByText('hCaptcha verification failed').waitFor();
    await call('callback', 'token-2');
    await button().click();
    await form.getByText('Invalid email or password').waitFor();
  });

  it('disables the button when the hCaptcha token expires, and explains why', async () => {
    await openForm();
    await call('callback', 'token');
    await expect.poll(() => button().isEnabled()).toBe(true);
    await call('expired-callback');
    await form.getByText('hCaptcha token expired. Please try again.').waitFor();
    expect(await button().isDisabled()).toBe(true);
    await call('callback', 'another');
    await expect.poll(() => button().isEnabled()).toBe(true);
    expect(await form.getByText('hCaptcha token expired').count()).toBe(0);
  });

  it("shows the hCaptcha widget's error", async () => {
    await openForm();
    await call('error-callback', 'network-error');
    await form.getByText('hCaptcha verification error: network-error').waitFor();
    expect(await button().isDisabled()).toBe(true);
  });

  it('rejects the sign-in when hCaptcha rejects the token, and shows an error', async () => {
    verdict = { success: false, 'error-codes': ['invalid-input-response'] };
    await openForm();
    await call('callback', 'a-bad-token');
    await button().click();
    await form.getByText('hCaptcha verification failed').waitFor();
    expect(await button().isDisabled()).toBe(true);
  });

  it('reports an error when hCaptcha cannot be loaded, and retries when its box is clicked', async () => {
    await page.unrouteAll();
    await page.route('https://js.hcaptcha.com/**', (route) => route.abort());
    await openForm();
    await form.getByText('hCaptcha verification error: the widget could not be loaded').waitFor();
    expect(await button().isDisabled()).toBe(true);
    await page.unrouteAll();
    await page.route('https://js.hcaptcha.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    await form.getByRole('button', { name: 'Try the verification again' }).click();
    await call('callback', 'token');
    await expect.poll(() => button().isEnabled()).toBe(true);
  });
});
