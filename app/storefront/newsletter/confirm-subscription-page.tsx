import type { Route } from './+types/confirm-subscription-page';
import { confirmByLink } from '#app/features/newsletter/follow-newsletter-link.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button, buttonClass, ButtonLink } from '#app/ui/button.tsx';
import { DeadLinkPanel } from '#app/ui/dead-link-panel.tsx';
import { DonePanel } from '#app/ui/done-panel.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
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
  const { newsletterPath } = useSite();
  if (actionData?.isDone) {
    return (
      <NarrowPage title="Confirm your subscription">
        <DonePanel
          icon="check"
          title="Subscription confirmed"
          actions={<ButtonLink to="/deals">See today’s deals</ButtonLink>}
        >
          Welcome! You will now get the newsletter.
        </DonePanel>
      </NarrowPage>
    );
  }
  if (!link || actionData) {
    return (
      <DeadLinkPanel
        actions={
          <a className={buttonClass({ variant: 'primary' })} href={newsletterPath}>
            Subscribe again
          </a>
        }
      >
        <p>This link is incomplete, or was replaced by a newer one.</p>
      </DeadLinkPanel>
    );
  }
  return (
    <NarrowPage title="Confirm your subscription" intro={<>Send the newsletter to {link.email}?</>}>
      <form method="post">
        <HiddenFields fields={{ email: link.email, token: link.token }} />
        <Button type="submit" variant="primary" isWide>
          Confirm my subscription
        </Button>
      </form>
    </NarrowPage>
  );
}
