import { data } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { findStoredText } from '#app/features/pages/change-page.server.ts';
import { fillFacts } from '#app/features/pages/fill-facts.ts';
import { originalText } from '#app/features/pages/original-texts.server.ts';
import { pageMessages } from '#app/features/pages/page-messages.ts';
import { pageTable } from '#app/features/pages/page-table.ts';
import { readSiteFacts } from '#app/features/pages/site-facts.server.ts';
import { isTextName, siteTexts, type TextForm } from '#app/features/pages/site-texts.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/edit-text-page';
import { PageForm } from './page-form.tsx';
import { saveSiteText } from './save-page.server.ts';

/** The editor of a built-in text. */
export function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'blog.write');
  const { db } = appServices(context);
  return readOrFail(context, 'page', async () => {
    const name = params.text;
    if (!isTextName(name)) throw data({ missing: pageMessages.notFound }, { status: 404 });
    const [own, site] = await Promise.all([findStoredText(db, name), readSiteFacts(context)]);
    const { title, pageTitle, intro, content, description } = originalText(name);
    const usual = name === 'about' ? pageTitle : (own?.title ?? title);
    return {
      name,
      ...siteTexts[name],
      own: own && { id: own.id, version: own.version },
      stored: own ? rowTexts(own) : { title, intro, content },
      usual: { title: fillFacts(usual, site), description: fillFacts(description, site) },
      backTo: backToList(request.url, pageTable.path),
    };
  });
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'blog.write');
  return saveSiteText(request, context, params.text);
}

export const meta = titled('Edit Page');

const formHints: Record<TextForm, string | null> = {
  sections:
    'Markdown. Each line “## Title” begins a section with an entry in the table of contents.',
  questions:
    'Markdown. Each line “## Title” begins a section, and each line “### Title” an entry in it.',
  intro: null,
};
const placeholders =
  ' “{#name}” after a title is its anchor. {{name}} is the site’s name and {{contactEmail}} its contact email.';

export default function EditTextPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Page" failure={loaderData} />;
  const { name, label, form, own, stored, usual, backTo } = loaderData;
  const hint = formHints[form];
  return (
    <>
      <AdminHeading
        title={`Edit “${label}”`}
        more={
          <>
            <ButtonLink to={`/${name}`}>View on site</ButtonLink>
            {own ? (
              <ConfirmAct
                label="Restore the original"
                question={pageMessages.confirmRestoreOriginal}
                detail="Your text moves to the trash for 30 days."
                fields={{ intent: 'delete', id: String(own.id) }}
                action={backTo}
              />
            ) : null}
          </>
        }
      >
        {own ? 'This page shows your text.' : 'This page shows the original text.'}{' '}
        <Link to={backTo}>All pages</Link>
      </AdminHeading>
      <PageForm
        key={`${name} ${own?.version}`}
        stored={stored}
        answer={actionData}
        version={own?.version}
        cancelHref={backTo}
        slug={name}
        contentHint={hint && hint + placeholders}
        usual={usual}
      />
    </>
  );
}
