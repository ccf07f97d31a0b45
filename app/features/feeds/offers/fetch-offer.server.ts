import { buffer } from 'node:stream/consumers';
import iconv from 'iconv-lite';
import {
  safeFetch,
  SafeFetchError,
  type SafeFetchOptions,
} from '#app/platform/safe-fetch.server.ts';
import { safeUrl } from '#app/platform/safe-url.ts';
import { offerMessages } from './offer-messages.ts';
import { type PageOffer, readPageOffer } from './read-page-offer.ts';

type FetchOfferResult =
  /** `note` explains what was omitted. */
  | { ok: true; url: string; host: string; offer: PageOffer; note: string | null }
  | { ok: false; message: string };

/**
 * Reads a product's page to fill in a deal form. A price in another currency is reported but not
 * used.
 */
export async function fetchOffer(
  address: string,
  currency: string,
  options: Pick<SafeFetchOptions, 'allowPrivate'> = {},
): Promise<FetchOfferResult> {
  const url = safeUrl(address);
  if (url === null) return { ok: false, message: offerMessages.notAnAddress };
  const page = await readPage(url, options);
  if (page.html === undefined) return { ok: false, message: page.message };
  const offer = readPageOffer(page.html, page.url, currency);
  const isForeign =
    offer.sale_price !== null && offer.currency !== null && offer.currency !== currency;
  const taken = isForeign ? { ...offer, sale_price: null } : offer;
  const note = isForeign ? offerMessages.otherCurrency(offer.currency ?? '', currency) : null;
  const { currency: _, ...facts } = taken;
  if (Object.values(facts).every((fact) => fact === null)) {
    return { ok: false, message: note ?? offerMessages.nothingFound };
  }
  return { ok: true, url, host: new URL(page.url).host, offer: taken, note };
}

async function readPage(url: string, options: Pick<SafeFetchOptions, 'allowPrivate'>) {
  try {
    const answer = await safeFetch(url, {
      maxBytes: 3 * 1024 * 1024,
      timeoutMs: 10_000,
      ...options,
      headers: { accept: 'text/html,application/xhtml+xml' },
    });
    const [type = '', ...parameters] = answer.contentType.toLowerCase().split(';');
    if (!/^(text\/html|application\/xhtml\+xml|)$/.test(type.trim())) {
      answer.body.destroy();
      return { message: offerMessages.notAPage(type.trim()) };
    }
    const bytes = await buffer(answer.body);
    return { url: answer.url, html: decode(bytes, parameters.join(';')) };
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    return { message: offerMessages.unreachable(error.message) };
  }
}

/** Decodes the page by its header, else by its own declaration, else as UTF-8. */
function decode(bytes: Buffer, header: string): string {
  const named = /charset\s*=\s*["']?([\w.:-]{1,40})/i;
  const charset =
    named.exec(header)?.[1] ?? named.exec(bytes.subarray(0, 2_048).toString('latin1'))?.[1];
  return iconv.decode(bytes, charset && iconv.encodingExists(charset) ? charset : 'utf-8');
}
