import { data } from 'react-router';
import type { Route } from './+types/edit-newsletter-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { newsletterAdminMessages } from '#app/features/newsletter/newsletter-admin-messages.ts';
import { countAudience } from '#app/features/newsletter/audience.server.ts';
import { findNewsletter } from '#app/features/newsletter/managed-newsletter-queries.server.ts';
import { isEditable } from '#app/features/newsletter/newsletter-state.ts';
import { isTest } from '#app/features/newsletter/subject-test.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { Link } from '#app/ui/link.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrFail } from '../frame/read-or-fail.server.ts';
import { titled } from '../frame/titled.ts';
import { NewsletterEditor } from './newsletter-editor.tsx';
import { newsletterTexts } from './newsletter-texts.ts';
import { readEditorDeals } from '#app/admin/editor/read-editor-deals.server.ts';
import { readAudienceChoices } from '#app/features/newsletter/audience-choices.server.ts';
import { saveNewsletter } from './save-newsletter.server.ts';

/** The editor of a newsletter's content and audience, new or stored. */
export function loader({ params, context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  const { db, now } = appServices(context);
  return readOrFail(context, 'newsletter', async () => {
    const { timeZone, currency } = await readSiteSettings(db);
    const everybody = { audience_since: null, audience_confirmed: false };
    const subscribers = await countAudience(db, everybody, now());
    const audiences = await readAudienceChoices(db);
    if (params.id === undefined) {
      const stored = { content: '', test_percent: '10', test_hours: '4' };
      return { newsletter: null, stored, deals: [], subscribers, audiences };
    }
    const found = await findNewsletter(db, parseRowId(params.id) ?? 0);
    if (!found) throw data({ missing: newsletterAdminMessages.notFound }, { status: 404 });
    const { id, version, state, content } = found;
    return {
      newsletter: {
        id,
        version,
        state,
        isEditable: isEditable(state),
        isTesting: state === 'paused' && isTest(found),
      },
      stored: newsletterTexts(found, timeZone),
      deals: await readEditorDeals(db, content, currency),
      subscribers,
      audiences,
    };
  });
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'newsletter.manage');
  return saveNewsletter(request, context, params.id);
}

export const meta = titled('Edit Newsletter', 'New Newsletter');

export default function EditNewsletterPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Newsletter" failure={loaderData} />;
  const { newsletter, stored, deals, subscribers, audiences } = loaderData;
  const back = newsletter ? `/admin/newsletters/${newsletter.id}` : '/admin/newsletters';
  return (
    <>
      <AdminHeading title={newsletter ? 'Edit Newsletter' : 'New Newsletter'}>
        <Link to={back}>{newsletter ? 'Back to the newsletter' : 'All newsletters'}</Link>
      </AdminHeading>
      {newsletter && !newsletter.isEditable ? (
        <p>{newsletterAdminMessages.notEditable}</p>
      ) : (
        <NewsletterEditor
          key={`${newsletter?.id} ${newsletter?.version}`}
          newsletter={newsletter}
          stored={stored}
          deals={deals}
          subscribers={subscribers}
          audiences={audiences}
          answer={actionData}
          cancelHref={back}
        />
      )}
    </>
  );
}
