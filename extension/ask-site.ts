import type { Product } from './find-product.ts';

interface Money {
  amount: number;
  currency: string;
}

interface ApiPrice {
  current: Money;
  evidence: string;
  standing_text: string;
  usual: { text: string } | null;
}

/** The parts of the site's response that the popup shows. */
export interface PriceCheck {
  matched_text: string | null;
  deal: {
    id: number;
    title: string;
    url: string;
    price: ApiPrice | null;
    product: { slug: string; text: string } | null;
  } | null;
  asked: { price: Money; verdict: string | null; compared: string } | null;
}

export type Answer = { ok: true; check: PriceCheck } | { ok: false; sentence: string };

const longestWait = 10_000; // ms
/** characters of a URL-encoded title */
const longestTitle = 400;

/** Asks the site about a product. Sends no cookies, and follows no redirect to another site. */
export async function askSite(
  origin: string,
  product: Product & { link: string },
): Promise<Answer> {
  const host = new URL(origin).host;
  const unreachable = {
    ok: false as const,
    sentence: `${host} can’t be reached. Try again later.`,
  };
  try {
    const response = await fetch(`${origin}/api/v1/price-check?${checkParameters(product)}`, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(longestWait),
    });
    const json: unknown = await response.json();
    if (response.ok && json) return { ok: true, check: json as PriceCheck };
    const { errors, detail } = json as { errors?: { detail: string }[]; detail?: string };
    return { ok: false, sentence: errors?.[0]?.detail ?? detail ?? unreachable.sentence };
  } catch {
    return unreachable;
  }
}

function checkParameters({ link, title, gtin, price }: Product & { link: string }) {
  return new URLSearchParams({
    url: link,
    ...(title !== '' && { title: cutEncoded(title) }),
    ...(gtin !== null && { gtin }),
    ...(price && { price: String(price.amount), currency: price.currency }),
  });
}

/** Returns the beginning of a text, short enough for a URL parameter. */
export function cutEncoded(text: string): string {
  let cut = text.slice(0, longestTitle).toWellFormed();
  while (encodeURIComponent(cut).length > longestTitle) cut = cut.slice(0, -1).toWellFormed();
  return cut;
}
