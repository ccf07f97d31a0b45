import type { Route } from './+types/confirm-subscription-page';
import { confirmByLink } from '#app/features/newsletter/follow-newsletter-link.server.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button, buttonClass, ButtonLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { answerLink, showLink } from './answer-newsletter-link.server.ts';

export const loader = showLink;

export const action = (asked: Route.ActionArgs) => answerLink(asked, confirmByLink);

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
        <p>Welcome! You will now get the newsletter.</p>
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
        <p>This link is incomplete, or was replaced by a newer one.</p>
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
          <HiddenFields fields={{ email: link.email, token: link.token }} />
          <Button type="submit" look="primary">
            Confirm my subscription
          </Button>
        </form>
      }
    >
      <p>Send the newsletter to {link.email}?</p>
    </MessagePanel>
  );
}
