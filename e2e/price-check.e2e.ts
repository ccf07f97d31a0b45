import { expect, inject, it } from 'vitest';
import { answerTo } from '#test/visitor.ts';
import { examine } from './examine-page.ts';
import { fetchOnce } from './fetch-once.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser();

/** A live deal in the demo shop, with its link to the store. */
async function aDeal(): Promise<{ title: string; link: string }> {
  const answer = await fetchOnce(`${inject('origin')}/api/v1/deals`);
  const { data } = JSON.parse(await answer.text());
  const { id, title } = data.find((one: { price: unknown }) => one.price !== null);
  const out = await fetchOnce(`${inject('origin')}/out/${id}`, { redirect: 'manual' });
  return { title, link: out.headers.get('location') ?? '' };
}

it('checks a known, an unknown and an invalid link from the home page', async () => {
  const { title, link } = await aDeal();
  const { page, complaints } = await browser.visit();
  await openHydrated(page, '/');
  const main = page.getByRole('main');
  await main.getByLabel('Paste a product link').fill(link);
  await main.getByRole('button', { name: 'Check price' }).click();
  await page.getByText('We know this product by its link.').waitFor();
  await page.getByRole('heading', { name: title }).waitFor();

  await main.getByLabel('Price you see').fill('1000000');
  await main.getByRole('button', { name: 'Check price' }).click();
  await page.getByRole('heading', { name: 'Your price' }).waitFor();
  await page.getByText(/^That is .* more than the/).waitFor();

  await main.getByLabel('Price you see').fill('cheap');
  await main.getByRole('button', { name: 'Check price' }).click();
  await page.getByText('Please enter a price, such as').waitFor();
  expect(await main.getByLabel('Price you see').inputValue()).toBe('cheap');
  expect(await main.getByLabel('Paste a link to any product').inputValue()).toBe(link);

  await main.getByLabel('Price you see').fill('');
  await main.getByLabel('Paste a link to any product').fill('https://else.example/zorkmid-77');
  await main.getByRole('button', { name: 'Check price' }).click();
  await page.getByRole('heading', { name: 'We don’t know this one yet' }).waitFor();

  await main.getByLabel('Paste a link to any product').fill('javascript:alert(1)');
  await main.getByRole('button', { name: 'Check price' }).click();
  await page.getByText('Only addresses that begin with http').waitFor();
  expect(complaints.filter((one) => !one.includes('422'))).toEqual([]);
});

it('checks a link and a price without JavaScript', async () => {
  const { link } = await aDeal();
  const { page } = await browser.visit({ javaScriptEnabled: false });
  await page.goto('/check');
  await page.getByLabel('Paste a link to any product').fill(link);
  await page.getByLabel('Price you see').fill('1000000');
  await page.getByRole('main').getByRole('button', { name: 'Check price' }).click();
  await page.getByText('We know this product by its link.').waitFor();
  await page.getByRole('heading', { name: 'Your price' }).waitFor();
  expect(await page.getByRole('button', { name: 'Copy the address' }).isVisible()).toBe(false);
});

it('requests an unknown product, and shows the request to staff with a form to add its deal', async () => {
  const link = 'https://else.example/zorkmid-77?id=5';
  const { page, complaints } = await browser.visit();
  await openHydrated(page, `/check?${new URLSearchParams({ url: `${link}&utm_source=mail` })}`);
  await page.getByRole('button', { name: 'Ask us to add it' }).click();
  await page.getByText('Thank you. We received your request.').waitFor();
  expect(await examine(page)).toEqual([]);
  expect(complaints).toEqual([]);

  const { page: desk } = await browser.visit({ reducedMotion: 'reduce' });
  await openStaffSession(desk.context(), 'requests');
  await desk.goto('/admin/search');
  await desk.getByRole('link', { name: 'zorkmid 77', exact: true }).waitFor();
  expect(await examine(desk)).toEqual([]);
  await desk.getByRole('link', { name: 'Create deal for zorkmid 77' }).click();
  expect(await desk.getByLabel(/^Deal URL/).inputValue()).toBe(link);
  await desk.goto('/admin/search');
  await desk.getByRole('button', { name: 'Dismiss zorkmid 77' }).click();
  await desk.locator('output').getByText('Request dismissed.').waitFor();
  await desk.getByRole('link', { name: 'zorkmid 77', exact: true }).waitFor({ state: 'detached' });
  await desk.locator('output').getByRole('button', { name: 'Undo' }).click();
  await desk.getByRole('link', { name: 'zorkmid 77', exact: true }).waitFor();
});

it('requests an unknown product without JavaScript, after a captcha question', async () => {
  const { page } = await browser.visit({ javaScriptEnabled: false });
  await page.goto(`/check?${new URLSearchParams({ url: 'https://else.example/zorkmid-78' })}`);
  await page.getByRole('button', { name: 'Ask us to add it' }).click();
  const question = page.getByLabel(/^What is/);
  await question.fill(answerTo(await page.getByText(/^What is/).innerText()));
  await page.getByRole('button', { name: 'Ask us to add it' }).click();
  await page.getByText('Thank you. We received your request.').waitFor();
});
