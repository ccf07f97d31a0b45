import type { Route } from './+types/unsubscribe-page';
import {
  type NewsletterLink,
  unsubscribeByLink,
} from '#app/features/newsletter/follow-newsletter-link.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button, buttonClass, ButtonLink } from '#app/ui/button.tsx';
import { DeadLinkPanel } from '#app/ui/dead-link-panel.tsx';
import { DonePanel } from '#app/ui/done-panel.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
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
      <DeadLinkPanel actions={<WayHome />}>
        <p>Invalid unsubscribe link. Please check your email for the correct link.</p>
        <Contact />
      </DeadLinkPanel>
    );
  }
  if (!actionData) return <Processing {...link} />;
  return actionData.isDone ? <Success {...link} /> : <Failure {...link} />;
}

/**
 * With JavaScript, the form is sent at once. Otherwise, or after navigating back, the form has a
 * button.
 */
function Processing({ email, token, newsletter }: NewsletterLink) {
  return (
    <NarrowPage title="Unsubscribe">
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
          <Button type="submit" variant="primary" isWide>
            Unsubscribe
          </Button>
        </p>
      </form>
    </NarrowPage>
  );
}

function Success({ email }: NewsletterLink) {
  const { newsletterPath } = useSite();
  return (
    <NarrowPage title="Unsubscribe">
      <DonePanel
        icon="check"
        title="Unsubscribed Successfully"
        address={email}
        actions={<WayHome href={newsletterPath} label="Resubscribe to Newsletter" />}
      >
        You have been successfully unsubscribed from our newsletter.
      </DonePanel>
      <Contact />
    </NarrowPage>
  );
}

function Failure({ email, token }: NewsletterLink) {
  const href = `/unsubscribe?${new URLSearchParams({ email, token })}`;
  return (
    <NarrowPage title="Unsubscribe Failed">
      <div className="stack gap-3">
        <p>Failed to unsubscribe. Please try again or contact support.</p>
        <p>
          The link for {email} may be older than your last subscription. Use the link in the newest
          newsletter.
        </p>
        <Contact />
      </div>
      <div className="row gap-3">
        <WayHome href={href} label="Try Again" />
      </div>
    </NarrowPage>
  );
}

/** The next step, if there is one, and a link to the homepage. */
function WayHome({ href, label }: { href?: string; label?: string }) {
  return (
    <>
      {href ? (
        <a className={buttonClass({ variant: 'primary' })} href={href}>
          {label}
        </a>
      ) : null}
      <ButtonLink to="/">Go to Homepage</ButtonLink>
    </>
  );
}

function Contact() {
  const { contactEmail } = useSite();
  return (
    <p className="muted">
      Need help? <a href="/contact">Contact us</a>
      {contactEmail ? (
        <>
          , or write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        </>
      ) : null}
      .
    </p>
  );
}
