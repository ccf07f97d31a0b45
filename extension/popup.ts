import { formatMoney, toDecimal } from '#app/platform/money.ts';
import { askSite, cutEncoded, type PriceCheck } from './ask-site.ts';
import type { ExtensionApi, Tab } from './extension-api.ts';
import { findProduct, type Product } from './find-product.ts';
import { productLink } from './page-address.ts';
import { readPage } from './read-page.ts';

declare const chrome: ExtensionApi;

type Named = Product & { link: string };

const { homepage_url: home, short_name: siteName } = chrome.runtime.getManifest();
const { origin } = new URL(home);
const heading = document.querySelector('h1')!;
const answer = document.querySelector('#answer')!;

/** Sets texts as plain text, never as HTML, because they come from shops. */
function make<Tag extends 'p' | 'h2' | 'div' | 'a' | 'button'>(
  tag: Tag,
  text: string,
  className = '',
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className !== '') element.className = className;
  return element;
}

/** Creates a link to the site, which opens in a new tab. */
function linkTo(address: string, text: string): HTMLAnchorElement {
  const link = make('a', text);
  link.href = address;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  return link;
}

function actions(...elements: HTMLElement[]): HTMLElement {
  const row = make('div', '', 'actions');
  row.append(...elements);
  return row;
}

function checkPage({ link, title }: Pick<Named, 'link' | 'title'>, typedPrice = ''): string {
  const parameters = new URLSearchParams({ url: link });
  if (title !== '') parameters.set('title', cutEncoded(title));
  if (typedPrice !== '') parameters.set('price', typedPrice);
  return `${origin}/check?${parameters}`;
}

function describeProduct({ title, price }: Named): HTMLElement[] {
  return [
    make('h2', title || 'This product'),
    ...(price
      ? [make('p', `On this page: ${formatMoney(price.amount, price.currency)}`, 'muted')]
      : []),
  ];
}

function describeCheck(product: Named, check: PriceCheck): HTMLElement[] {
  const { deal, asked, matched_text: matched } = check;
  if (!deal) {
    return [
      make('p', 'We don’t know this one yet', 'verdict'),
      actions(linkTo(checkPage(product), 'Ask us to add it')),
    ];
  }
  const { price, product: sold } = deal;
  const sentences = asked
    ? [asked.verdict, asked.compared]
    : price && [
        `${formatMoney(price.current.amount, price.current.currency)} at ${siteName}: ${price.standing_text}`,
        price.usual?.text,
      ];
  const typed = asked ? toDecimal(asked.price.amount, asked.price.currency) : '';
  return [
    ...(sentences ?? []).filter(Boolean).map((one, at) => make('p', one!, at ? '' : 'verdict')),
    ...[matched, price?.evidence].filter(Boolean).map((one) => make('p', one!, 'muted')),
    actions(
      linkTo(dealPage(deal.url), 'Open the deal'),
      ...(sold ? [linkTo(`${origin}/products/${sold.slug}`, sold.text)] : []),
      linkTo(checkPage(product, typed), `Compare on ${siteName}`),
      linkTo(`${origin}/price-alerts/new?deal=${deal.id}`, 'Set alert'),
    ),
  ];
}

/** Returns the URL of a deal's page at the site's known origin. */
function dealPage(address: string): string {
  return origin + new URL(address, origin).pathname;
}

async function checkTab(tab: Tab): Promise<HTMLElement[]> {
  const facts = await chrome.scripting
    .executeScript({ target: { tabId: tab.id ?? -1 }, func: readPage })
    .then(([injected]) => injected?.result)
    .catch(() => undefined);
  if (!facts) return [make('p', 'Your browser doesn’t let extensions read this page.')];
  const link = productLink(facts.address, facts.canonical);
  if (link === null) return [make('p', 'Only web pages of stores can be checked.')];
  const product = findProduct(facts);
  if (!product) {
    return [
      make('p', 'We found no product on this page, and sent nothing.'),
      actions(linkTo(checkPage({ link, title: '' }), `Check its link on ${siteName}`)),
    ];
  }
  const named = { ...product, link };
  const found = await askSite(origin, named);
  const rest = found.ok ? describeCheck(named, found.check) : [make('p', found.sentence)];
  return [...describeProduct(named), ...rest];
}

async function showCheck(tab: Tab): Promise<void> {
  answer.replaceChildren(make('p', 'Checking…'));
  answer.replaceChildren(...(await checkTab(tab)));
}

/** Explains the price check before its first use. Stores only this choice. */
function explain(tab: Tab): void {
  const button = make('button', 'Check this page');
  button.type = 'button';
  button.addEventListener('click', () => {
    heading.focus();
    if (!tab.incognito) void chrome.storage.local.set({ agreed: true });
    void showCheck(tab);
  });
  answer.replaceChildren(
    make(
      'p',
      `When you press the icon, the link, name, article number and price of the page’s product are sent to ${new URL(origin).host}, and nothing else. They are not stored.`,
    ),
    actions(button),
  );
}

async function open(): Promise<void> {
  heading.textContent = `${siteName} price check`;
  document.title = heading.textContent;
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (!tab) return;
  const { agreed } = await chrome.storage.local.get('agreed');
  if (agreed === true) await showCheck(tab);
  else explain(tab);
}

await open();
