import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import { data } from 'react-router';
import type { Route } from './+types/send-newsletter-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { newsletterAdminMessages } from '#app/features/newsletter/newsletter-admin-messages.ts';
import { isEditable } from '#app/features/newsletter/newsletter-state.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrFail } from '../frame/read-or-fail.server.ts';
import { StatusPill } from '../frame/status-pill.tsx';
import { titled } from '../frame/titled.ts';
import { useAskAgain } from '../frame/use-ask-again.ts';
import { actOnNewsletter } from './act-on-newsletter.server.ts';
import { NewsletterPreview } from './newsletter-preview.tsx';
import { NewsletterResults } from './newsletter-results.tsx';
import { newsletterStateLabels, newsletterStateStyles } from './newsletter-states.ts';
import styles from './newsletters.module.css';
import { readNewsletterPage } from './read-newsletter-page.server.ts';
import { SendPanel } from './send-panel.tsx';

/** A newsletter's page: preview, sending and results. */
export function loader({ params, context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'newsletter.manage');
  return readOrFail(context, 'newsletter', async () => {
    const read = await readNewsletterPage(context, viewer, parseRowId(params.id) ?? 0);
    if (!read) throw data({ missing: newsletterAdminMessages.notFound }, { status: 404 });
    return read;
  });
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'newsletter.manage');
  return actOnNewsletter(request, context, parseRowId(params.id) ?? 0);
}

export const meta = titled('Newsletter');

export default function SendNewsletterPage({ loaderData }: Route.ComponentProps) {
  useAskAgain(loaderData.ok && loaderData.newsletter.state === 'sending');
  if (!loaderData.ok) return <LoadFailure title="Newsletter" failure={loaderData} />;
  const { newsletter, preview } = loaderData;
  const { id, subject, state } = newsletter;
  const hasBegun = newsletter.started_at !== null;
  return (
    <>
      <AdminHeading
        title={subject}
        more={
          <>
            <PostButton fields={{ intent: 'copy' }}>Duplicate</PostButton>
            {state === 'draft' ? (
              <ConfirmAct
                label="Delete"
                variant="remove"
                question={newsletterAdminMessages.confirmDelete}
                detail={<DeletionDetail name={subject} />}
                fields={{ intent: 'delete' }}
              />
            ) : null}
            {isEditable(state) ? (
              <ButtonLink to={`/admin/newsletters/${id}/edit`} data-key-edit>
                Edit
              </ButtonLink>
            ) : null}
          </>
        }
      >
        <StatusPill variant={newsletterStateStyles[state]}>
          {newsletterStateLabels[state]}
        </StatusPill>{' '}
        <Link to="/admin/newsletters">All newsletters</Link>
      </AdminHeading>
      <div className={`column top gap-6 ${styles.screen}`}>
        <div className={`column gap-4 ${styles.side}`}>
          {hasBegun ? <NewsletterResults shown={loaderData} /> : <SendPanel shown={loaderData} />}
        </div>
        <NewsletterPreview id={id} {...preview} />
      </div>
    </>
  );
}
