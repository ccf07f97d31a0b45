import { data, type RouterContextProvider } from 'react-router';
import {
  type NewsletterLink,
  readNewsletterLink,
} from '#app/features/newsletter/follow-newsletter-link.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import type { Db } from '#database/connect.ts';

/**
 * Shows the page of an emailed link and changes nothing, since mail scanners open links. The page's
 * button posts the link.
 */
export function showLink({ request }: { request: Request }) {
  const link = readNewsletterLink(new URL(request.url).searchParams);
  return data({ link }, { status: link ? 200 : 400 });
}

/** Follows the link that a form posts. `follow` returns whether the link is valid. */
export async function answerLink(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  follow: (db: Db, link: NewsletterLink) => Promise<boolean>,
) {
  const link = readNewsletterLink(await readFormBody(request));
  const isDone = link !== null && (await follow(appServices(context).db, link));
  return data({ isDone }, { status: isDone ? 200 : 400 });
}
