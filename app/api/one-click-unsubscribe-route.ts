import { redirect } from 'react-router';
import type { Route } from './+types/one-click-unsubscribe-route';
import {
  readNewsletterLink,
  unsubscribeByLink,
} from '#app/features/newsletter/follow-newsletter-link.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { answerPlain } from './answer-conditionally.server.ts';

/**
 * Redirects people, and email clients without one-click unsubscribe, to the page for people.
 * Nothing is changed.
 */
export function loader({ request }: Route.LoaderArgs) {
  return redirect(`/unsubscribe${new URL(request.url).search}`);
}

/**
 * Handles one-click unsubscribe (RFC 8058). The email client posts from another host without
 * cookies, so this path is exempt from the origin check. Only the signed token authorizes the
 * request.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const link = readNewsletterLink(new URL(request.url).searchParams);
  const form = await readFormBody(request).catch(() => null);
  const isOneClick = form?.get('List-Unsubscribe') === 'One-Click';
  const isDone =
    isOneClick && link !== null && (await unsubscribeByLink(appServices(context).db, link));
  return isDone
    ? answerPlain(200, 'Unsubscribed.')
    : answerPlain(400, 'This is not a valid unsubscribe request.');
}
