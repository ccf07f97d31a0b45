import { requirePublicHost } from '#app/platform/public-url.server.ts';
import { checkPictureUrl, checkUrl, type UrlCheck } from '#app/platform/safe-url.ts';
import { completeUrl, listPictures } from './feed-urls.ts';

/** Completes and validates a product's link. */
export function readLink(text: string | undefined, shop: string | null | undefined): UrlCheck {
  return requirePublicHost(checkUrl(completeUrl(text ?? '', shop)));
}

export function linkFault(text: string | undefined, reason: string): string {
  if (!text) return 'no link';
  if (!text.startsWith('{shop}')) return `link ${reason}`;
  return 'no link: this feed has none; enter the shop address in the source’s settings or with --shop';
}

export function readPicture(
  text: string | undefined,
  shop: string | null | undefined,
  notes: string[],
): string | null {
  if (!text) return null;
  let fault = '';
  for (const picture of listPictures(text)) {
    const checked = requirePublicHost(checkPictureUrl(completeUrl(picture, shop)));
    if (checked.ok) return checked.url;
    fault ||= checked.reason;
  }
  if (fault) notes.push(`imported without its picture: image link ${fault}`);
  return null;
}
