import type { PropsWithChildren } from 'react';
import type { Route } from './+types/unsubscribe-page';
import {
  type NewsletterLink,
  unsubscribeByLink,
} from '#app/features/newsletter/follow-newsletter-link.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button, buttonClass, ButtonLink } from '#app/ui/button.tsx';
import type { IconName } from '#app/ui/icon.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { answerLink, showLink } from './answer-newsletter-link.server.ts';
import styles from './unsubscribe-page.module.css';

export const loader = showLink;

export const action = (asked: Route.ActionArgs) => answerLink(asked, unsubscribeByLink);

export const meta = fixedMeta({
  path: '/unsubscribe',
  title: 'Unsubscribe',
  description: 'Leave the newsletter.',
  isIndexed: false,
});

export default function UnsubscribePage({ loaderData, actionData }: Route.ComponentProps) {
  const { link } = loaderData;
  if (!link) {
    return (
      <Outcome icon="alert" title="Invalid Link">
        <p>Invalid unsubscribe link. Please check your email for the correct link.</p>
      </Outcome>
    );
  }
  if (!actionData) return <Processing {...link} />;
  return actionData.isDone ? <Success {...link} /> : <Failure {...link} />;
}

/** The form is sent at once with JavaScript. Without it, or on return, the form has a button. */
function Processing({ email, token, newsletter }: NewsletterLink) {
  return (
    <MessagePanel icon="mail" title="Unsubscribe" level={1}>
      <form method="post" data-post-at-once className={styles.leave}>
        <HiddenFields fields={{ email, token, ...(newsletter && { newsletter }) }} />
        <p role="status" className={styles.processing}>
          Processing...
        </p>
        <p>
          {email}
          <span className={styles.question}>
            {' '}
            will get no more newsletters once you press the button.
          </span>
        </p>
        <p className={styles.question}>
          <Button type="submit" look="primary">
            Unsubscribe
          </Button>
        </p>
      </form>
    </MessagePanel>
  );
}

function Success({ email }: NewsletterLink) {
  return (
    <Outcome
      icon="check"
      title="Unsubscribed Successfully"
      wayOn={{ href: '/#newsletter', label: 'Resubscribe to Newsletter' }}
    >
      <p>You have been successfully unsubscribed from our newsletter.</p>
      <p>{email}</p>
    </Outcome>
  );
}

function Failure({ email, token }: NewsletterLink) {
  const href = `/unsubscribe?${new URLSearchParams({ email, token })}`;
  return (
    <Outcome icon="alert" title="Unsubscribe Failed" wayOn={{ href, label: 'Try Again' }}>
      <p>Failed to unsubscribe. Please try again or contact support.</p>
      <p>
        The link for {email} may be older than your last subscription. Use the link in the newest
        newsletter.
      </p>
    </Outcome>
  );
}

/** The result of the link, the next step, and a contact. */
function Outcome({
  wayOn,
  children,
  ...panel
}: PropsWithChildren<{
  icon: IconName;
  title: string;
  wayOn?: { href: string; label: string };
}>) {
  const { contactEmail } = useSite();
  return (
    <MessagePanel
      {...panel}
      level={1}
      actions={
        <>
          {wayOn ? (
            <a className={buttonClass({ look: 'primary' })} href={wayOn.href}>
              {wayOn.label}
            </a>
          ) : null}
          <ButtonLink to="/">Go to Homepage</ButtonLink>
        </>
      }
    >
      {children}
      <p>
        Need help? <a href="/contact">Contact us</a>
        {contactEmail ? (
          <>
            , or write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          </>
        ) : null}
        .
      </p>
    </MessagePanel>
  );
}
