import { data, redirect } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { editablePages } from '#app/features/pages/change-page.server.ts';
import { pageMessages } from '#app/features/pages/page-messages.ts';
import { pageTable } from '#app/features/pages/page-table.ts';
import { isTextName } from '#app/features/pages/site-texts.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/edit-own-page';
import { OwnFields, PageForm } from './page-form.tsx';
import { saveOwnPage } from './save-page.server.ts';

/** The editor of one of the owner's pages. */
export function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'blog.write');
  const { db } = appServices(context);
  return readOrFail(context, 'page', async () => {
    const backTo = backToList(request.url, pageTable.path);
    if (params.id === undefined) return { page: null, stored: { is_visible: 'on' }, backTo };
    const page = await editablePages.find(db, parseRowId(params.id) ?? 0);
    if (!page) throw data({ missing: pageMessages.notFound }, { status: 404 });
    // The audit log and Find link here with the id of any page.
    if (isTextName(page.slug)) throw redirect(`/admin/pages/texts/${page.slug}`);
    const { id, slug, title, version, is_visible } = page;
    return { page: { id, slug, title, version, is_visible }, stored: rowTexts(page), backTo };
  });
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'blog.write');
  return saveOwnPage(request, context, params.id);
}

export const meta = titled('Edit Page', 'New Page');

export default function EditOwnPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Page" failure={loaderData} />;
  const { page, stored, backTo } = loaderData;
  const address: string = `/${page?.slug}`;
  return (
    <>
      <AdminHeading
        title={page ? 'Edit Page' : 'New Page'}
        more={
          page && (
            <>
              {page.is_visible ? <ButtonLink to={address}>View on site</ButtonLink> : null}
              <ConfirmAct
                label="Delete"
                variant="remove"
                question={pageMessages.confirmDelete}
                detail={<DeletionDetail name={page.title} />}
                fields={{ intent: 'delete', id: String(page.id) }}
                action={backTo}
              />
            </>
          )
        }
      >
        <Link to={backTo}>All pages</Link>
      </AdminHeading>
      <PageForm
        key={`${page?.id} ${page?.version}`}
        stored={stored}
        answer={actionData}
        version={page?.version}
        cancelHref={backTo}
        slug={page?.slug ?? null}
        contentHint="Markdown: ## Heading, **bold**, [link](https://…), lists that begin with “- ”. HTML that could run code is removed."
      >
        {(fields) => <OwnFields fields={fields} storedSlug={page?.slug ?? null} />}
      </PageForm>
    </>
  );
}
