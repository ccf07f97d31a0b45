import { data } from 'react-router';
import type { Route } from './+types/confirm-subscription-page';
import {
  confirmByLink,
  readNewsletterLink,
} from '#app/features/newsletter/follow-newsletter-link.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { Button, buttonClass, ButtonLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

/** The link of the confirmation mail. Opening it changes nothing; its button does (P28, R15). */
export function loader({ request }: Route.LoaderArgs) {
  const link = readNewsletterLink(new URL(request.url).searchParams);
  return data({ link }, { status: link ? 200 : 400 });
}

export async function action({ request, context }: Route.ActionArgs) {
  const link = readNewsletterLink(await readFormBody(request));
  const isDone = link !== null && (await confirmByLink(appServices(context).db, link));
  return data({ isDone }, { status: isDone ? 200 : 400 });
}

export const meta = fixedMeta({
  path: '/newsletter/confirm',
  title: 'Confirm your subscription',
  description: 'Confirm your subscription to the newsletter.',
  isIndexed: false,
});

export default function ConfirmSubscriptionPage({
  loaderData: { link },
  actionData,
}: Route.ComponentProps) {
  if (actionData?.isDone) {
    return (
      <MessagePanel
        icon="check"
        title="Subscription confirmed"
        level={1}
        actions={<ButtonLink to="/deals">See today’s deals</ButtonLink>}
      >
        <p>Welcome! The newsletter is on its way to you from now on.</p>
      </MessagePanel>
    );
  }
  if (!link || actionData) {
    return (
      <MessagePanel
        icon="alert"
        title="Invalid Link"
        level={1}
        actions={
          <a className={buttonClass({ look: 'primary' })} href="/#newsletter">
            Subscribe again
          </a>
        }
      >
        <p>This link is not complete, or a newer one has taken its place.</p>
      </MessagePanel>
    );
  }
  return (
    <MessagePanel
      icon="mail"
      title="Confirm your subscription"
      level={1}
      actions={
        <form method="post">
          <input type="hidden" name="email" value={link.email} />
          <input type="hidden" name="token" value={link.token} />
          <Button type="submit" look="primary">
            Confirm my subscription
          </Button>
        </form>
      }
    >
      <p>Shall the newsletter go to {link.email}?</p>
    </MessagePanel>
  );
}
