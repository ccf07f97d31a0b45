import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answerTo } from '#test/visitor.ts';
import { useOwnShop } from './current-shop.ts';
import { everyLook, examine } from './examine-page.ts';
import { useBrowser, type Visitor } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';

// Tests each island of visitor pages: on first use, with a slow or failing script, by keyboard, in
// every look, signed in and out, and after going back and forward.

useOwnShop(() => ({
  // Turns rate limits off, because all requests come from one address and each test submits several
  // forms.
  RATE_LIMITS: [
    'page',
    'search',
    'search-burst',
    'sign-in-address',
    'subscribe-address',
    'contact-address',
    'captcha-challenge',
    'captcha-question',
    'captcha-question-network',
  ]
    .map((name) => `${name}=0`)
    .join(),
}));
const browser = useBrowser();

interface Island {
  name: string;
  address: string;
  /** The beginning of the island script's file name. */
  script: string;
  who: readonly ('signed out' | 'signed in')[];
  /** Finds the island on the page, or opens it. */
  part: (page: Page) => Locator;
  /** The accessible names of the island's controls, once it is hydrated. */
  names: readonly (readonly [role: Role, name: string])[];
  /** The first interaction with a freshly loaded page, and the expected result. */
  use: (page: Page) => Promise<void>;
  /** The same interaction as `use`, but by keyboard only. */
  useByKeys: (page: Page) => Promise<void>;
  /**
   * Uses the island while its script is loading. Returns a check to run once the script has loaded.
   */
  useEarly: (page: Page) => Promise<() => Promise<void>>;
  /** The number of POST requests that `useEarly` causes. */
  earlyPosts: number;
  /** Uses everything that works without the island's script. */
  useWithoutIt: (page: Page) => Promise<void>;
}

type Role =
  | 'button'
  | 'checkbox'
  | 'combobox'
  | 'dialog'
  | 'group'
  | 'heading'
  | 'link'
  | 'listbox'
  | 'option'
  | 'search'
  | 'textbox';

let count = 0;
const newAddress = () => `islander-${(count += 1)}@mail.example`;

const newsletter: Island = {
  name: 'newsletter form',
  address: '/newsletter',
  script: 'newsletter-form-',
  who: ['signed out', 'signed in'],
  part: (page) => page.locator('main form[action="/newsletter"]'),
  names: [
    ['textbox', 'Email address'],
    ['button', 'Subscribe'],
  ],
  async use(page) {
    await this.part(page).getByLabel('Email address').fill(newAddress());
    await this.part(page).getByRole('button', { name: 'Subscribe' }).click();
    await subscribed(page).waitFor();
    expect(await this.part(page).getByLabel('Email address').count()).toBe(0);
    await page.getByRole('link', { name: 'Use another address' }).click();
    expect(await this.part(page).getByLabel('Email address').inputValue()).toBe('');
  },
  async useByKeys(page) {
    await tabTo(page, this.part(page).getByLabel('Email address'));
    await page.keyboard.type(newAddress());
    await this.part(page).getByText('Verified', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await subscribed(page).waitFor();
  },
  async useEarly(page) {
    const [field, address] = [this.part(page).getByLabel('Email address'), newAddress()];
    const button = this.part(page).locator('button[type=submit]');
    await field.pressSequentially(address);
    await button.click();
    await button.click();
    expect(await button.getAttribute('aria-busy')).toBe('true');
    expect(await field.inputValue()).toBe(address);
    return () => subscribed(page).waitFor();
  },
  earlyPosts: 1,
  async useWithoutIt(page) {
    const address = newAddress();
    await this.part(page).getByLabel('Email address').fill(address);
    await this.part(page).getByRole('button', { name: 'Subscribe' }).click();
    await answerQuestion(this.part(page));
    await this.part(page).getByRole('button', { name: 'Subscribe' }).click();
    await subscribed(page).waitFor();
  },
};

const subscribed = (page: Page) =>
  page.getByText('Successfully subscribed! Check your email for confirmation.');

const contactWords = { Name: 'Ada', Subject: 'A price', Message: 'It costs less at the store.' };

const contact: Island = {
  name: 'contact form',
  address: '/contact',
  script: 'contact-form-',
  who: ['signed out', 'signed in'],
  part: (page) => page.locator('main form'),
  names: [
    ['heading', 'Send us a message'],
    ['textbox', 'Name'],
    ['textbox', 'Email'],
    ['textbox', 'Subject'],
    ['textbox', 'Message'],
    ['button', 'Send Message'],
  ],
  async use(page) {
    await fillContact(this.part(page));
    await this.part(page).getByRole('button', { name: 'Send Message' }).click();
    await messageSent(page).waitFor();
    const focused = page.locator('main [data-done]:focus');
    expect(await focused.getByRole('heading', { name: 'Message Sent!' }).count()).toBe(1);
  },
  async useByKeys(page) {
    await tabTo(page, this.part(page).getByLabel('Name'));
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type(newAddress());
    await page.keyboard.press('Tab');
    await page.keyboard.type('A price');
    await this.part(page).getByText('Verified', { exact: true }).waitFor();
    // Enter submits the form, and the browser reports that the message is missing.
    await page.keyboard.press('Enter');
    const message = this.part(page).getByLabel('Message');
    await expect.poll(() => hasFocus(message)).toBe(true);
    await page.keyboard.type('It costs less at the store.');
    await tabTo(page, this.part(page).getByRole('button', { name: 'Send Message' }));
    await page.keyboard.press('Enter');
    await messageSent(page).waitFor();
  },
  async useEarly(page) {
    await fillContact(this.part(page));
    const button = this.part(page).locator('button[type=submit]');
    await button.click();
    await button.click();
    expect(await button.getAttribute('aria-busy')).toBe('true');
    return () => messageSent(page).waitFor();
  },
  earlyPosts: 1,
  async useWithoutIt(page) {
    await fillContact(this.part(page));
    await this.part(page).getByRole('button', { name: 'Send Message' }).click();
    await answerQuestion(this.part(page));
    for (const [label, text] of Object.entries(contactWords))
      expect(await this.part(page).getByLabel(label).inputValue()).toBe(text);
    await this.part(page).getByRole('button', { name: 'Send Message' }).click();
    await messageSent(page).waitFor();
  },
};

const messageSent = (page: Page) => page.getByRole('heading', { name: 'Message Sent!' });

async function fillContact(form: Locator): Promise<void> {
  for (const [label, text] of Object.entries(contactWords)) await form.getByLabel(label).fill(text);
  await form.getByLabel('Email').fill(newAddress());
}

const cookies: Island = {
  name: 'cookie switches',
  address: '/cookies',
  script: 'cookie-toggles-',
  who: ['signed out', 'signed in'],
  part: (page) => page.getByRole('group', { name: 'Cookie preferences' }),
  names: [
    ['checkbox', 'Essential'],
    ['checkbox', 'Preferences'],
    ['checkbox', 'Analytics'],
    ['checkbox', 'Marketing'],
  ],
  async use(page) {
    const analytics = this.part(page).getByLabel('Analytics');
    await this.part(page).scrollIntoViewIfNeeded();
    // Playwright scrolls while it waits to click, until the header covers the switch.
    await expect.poll(() => analytics.isEnabled()).toBe(true);
    await analytics.check();
    await this.part(page).getByText('Your choice is saved.').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('cookie-preferences'))).toContain(
      '"analytics":true',
    );
    await analytics.uncheck();
  },
  async useByKeys(page) {
    // The island hydrates when it becomes visible. Until then, its switches cannot have the focus.
    await this.part(page).scrollIntoViewIfNeeded();
    const marketing = this.part(page).getByLabel('Marketing');
    await expect.poll(() => marketing.isEnabled()).toBe(true);
    await tabTo(page, marketing);
    await page.keyboard.press('Space');
    expect(await marketing.isChecked()).toBe(true);
    await this.part(page).getByText('Your choice is saved.').waitFor();
  },
  async useEarly(page) {
    await this.part(page).scrollIntoViewIfNeeded();
    const analytics = this.part(page).getByLabel('Analytics');
    expect(await analytics.isDisabled()).toBe(true);
    return async () => {
      await expect.poll(() => analytics.isEnabled()).toBe(true);
    };
  },
  earlyPosts: 0,
  async useWithoutIt(page) {
    await this.part(page).scrollIntoViewIfNeeded();
    expect(await this.part(page).getByLabel('Analytics').isDisabled()).toBe(true);
    await page.getByRole('heading', { level: 1 }).waitFor();
  },
};

const signIn: Island = {
  name: 'dialog of signing in',
  address: '/how-we-rank',
  script: 'auth-dialog-',
  who: ['signed out'],
  part: (page) => page.getByRole('dialog', { name: 'Sign In' }),
  names: [
    ['heading', 'Sign In'],
    ['textbox', 'Email'],
    ['textbox', 'Password'],
    ['button', 'Show password'],
    ['button', 'Close'],
    ['link', 'Forgot password?'],
  ],
  async use(page) {
    await signInLink(page).click();
    const email = this.part(page).getByLabel('Email');
    await expect.poll(() => hasFocus(email)).toBe(true);
    await email.fill(newAddress());
    await this.part(page).getByLabel('Password', { exact: true }).fill('not my password');
    await this.part(page).getByRole('button', { name: 'Sign In', exact: true }).click();
    await this.part(page).getByText('Invalid email or password').waitFor();
  },
  async useByKeys(page) {
    await tabTo(page, signInLink(page));
    await page.keyboard.press('Enter');
    const email = this.part(page).getByLabel('Email');
    await expect.poll(() => hasFocus(email)).toBe(true);
    await page.keyboard.press('Escape');
    await this.part(page).waitFor({ state: 'detached' });
    expect(await hasFocus(signInLink(page))).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => hasFocus(email)).toBe(true);
    await page.keyboard.type(newAddress());
    await page.keyboard.press('Tab');
    await page.keyboard.type('not my password');
    await this.part(page).getByText('Verified', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await this.part(page).getByText('Invalid email or password').waitFor();
  },
  async useEarly(page) {
    await signInLink(page).click();
    await signInLink(page).click();
    expect(await signInLink(page).getAttribute('aria-busy')).toBe('true');
    return async () => {
      await this.part(page).waitFor();
      expect(await page.locator('dialog').count()).toBe(1);
    };
  },
  earlyPosts: 0,
  async useWithoutIt(page) {
    await signInLink(page).click();
    await page.waitForURL('**/sign-in?returnTo=%2Fhow-we-rank');
    await page.locator('main').getByLabel('Email').waitFor();
  },
};

const signInLink = (page: Page) => page.getByRole('link', { name: 'Sign In', exact: true });

const search: Island = {
  name: 'search box',
  address: '/how-we-rank',
  script: 'search-box-',
  who: ['signed out', 'signed in'],
  part: (page) => page.locator('header').getByRole('combobox').filter({ visible: true }),
  names: [
    ['search', 'Search'],
    ['combobox', 'Search deals and stores'],
    ['listbox', 'Suggestions'],
    ['option', 'Category'],
  ],
  async use(page) {
    await this.part(page).fill('');
    await this.part(page).pressSequentially('electr');
    await suggestion(page).waitFor();
  },
  async useByKeys(page) {
    await tabTo(page, this.part(page));
    await page.getByRole('listbox', { name: 'Popular searches' }).waitFor();
    await page.keyboard.type('electr');
    await suggestion(page).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?search=Electr*');
  },
  async useEarly(page) {
    await this.part(page).click();
    await this.part(page).pressSequentially('electr');
    return async () => {
      await suggestion(page).waitFor();
      expect(await this.part(page).inputValue()).toBe('electr');
      expect(await hasFocus(this.part(page))).toBe(true);
    };
  },
  earlyPosts: 0,
  async useWithoutIt(page) {
    await this.part(page).fill('lamp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?search=lamp');
    await page.getByRole('heading', { level: 1, name: 'Search Results for "lamp"' }).waitFor();
  },
};

const suggestion = (page: Page) => page.getByRole('option', { name: 'Electronics' }).first();

const islands: readonly Island[] = [newsletter, contact, cookies, signIn, search];

describe.each(islands)('the $name', (island) => {
  // Covers all pairs of theme, width and visitor instead of all combinations.
  const looks = everyLook.map((look, at) => ({
    ...look,
    who: (at % 3 === 0 ? island.who[0] : island.who.at(-1)) ?? 'signed out',
  }));

  async function visit(
    {
      who = 'signed out',
      width = 1280,
      colorScheme = 'light',
    }: Partial<(typeof looks)[number]> = {},
    prepare: (page: Page) => Promise<unknown> = async () => {},
  ): Promise<Visitor> {
    const viewport = { width, height: 900 };
    const visitor = await browser.visit({ viewport, colorScheme, reducedMotion: 'reduce' });
    const { page } = visitor;
    if (who === 'signed in') {
      await openStaffSession(page.context(), 'islander', { role: 'user' });
    }
    await prepare(page);
    await page.goto(island.address);
    return visitor;
  }

  it.each(looks)(
    'handles the first interaction, labels its controls and passes the audit: $colorScheme, $width, $who',
    async (look) => {
      const { page, complaints } = await visit(look);
      await island.use(page);
      expect(await examine(page)).toEqual([]);
      // The browser itself logs rejected requests.
      expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
      if ((await island.part(page).count()) === 0) await page.goto(island.address);
      for (const [role, name] of island.names) {
        await page.locator('header, main, dialog').getByRole(role, { name }).first().waitFor();
      }
    },
  );

  it('works by keyboard alone', async () => {
    const { page } = await visit();
    await island.useByKeys(page);
  });

  it('keeps input while an island’s script is loading, and performs each action once', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let posts = 0;
    const { page, complaints } = await visit({}, (fresh) =>
      fresh.route(`**/assets/${island.script}*.js`, async (route) => {
        await held;
        await route.continue();
      }),
    );
    page.on('request', (request) => {
      const isOurs = new URL(request.url()).pathname === island.address;
      if (isOurs && request.method() === 'POST') posts += 1;
    });
    const settle = await island.useEarly(page);
    release();
    await settle();
    expect(posts).toBe(island.earlyPosts);
    expect(complaints).toEqual([]);
  });

  it('falls back to the browser’s own controls if an island’s script fails to load', async () => {
    const { page } = await visit({}, (fresh) =>
      fresh.route(`**/assets/${island.script}*.js`, (route) => route.abort()),
    );
    await island.useWithoutIt(page);
  });

  it('keeps an island working after going back and forward', async () => {
    const { page } = await visit();
    await island.use(page);
    await page.goto('/about');
    await page.goBack();
    await island.use(page);
    await page.goBack();
    await page.goForward();
    await page.waitForURL(`**${island.address}`);
    await island.use(page);
  });
});

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    if (await hasFocus(control)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never came to it');
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement);
}

/** Answers the captcha question as a visitor without JavaScript would. */
async function answerQuestion(form: Locator): Promise<void> {
  const field = form.locator('[name=captcha_answer]');
  const asked = form.locator('[name=captcha_question]');
  await asked.waitFor({ state: 'attached' });
  const label = await field.evaluate(({ labels }: HTMLInputElement) => labels?.[0]?.textContent);
  await field.fill(answerTo(label ?? ''));
}
