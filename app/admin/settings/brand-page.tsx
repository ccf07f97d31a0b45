import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/brand-page';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { titled } from '../frame/titled.ts';
import { actOnBrand, readBrand } from './act-on-brand.server.ts';
import { BrandForm } from './brand-form.tsx';
import { tabHref } from './settings-tabs.ts';

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'settings.read');
  return readBrand(context);
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'settings.write');
  return actOnBrand(await readPost(context, request), user, '/admin/settings/brand');
}

export const meta = titled('Brand');

export default function BrandPage({ loaderData, actionData }: Route.ComponentProps) {
  const isOwn = Object.values(loaderData.texts).some(Boolean);
  return (
    <>
      <AdminHeading title="Brand">
        Logo, icon, color and font of every page. Emails have all but the font.{' '}
        <Link to={tabHref('site')}>Back to the settings</Link>
      </AdminHeading>
      <BrandForm
        key={loaderData.version}
        brand={loaderData}
        outcome={actionData}
        submitLabel="Save brand"
      >
        {isOwn ? (
          <ConfirmAct
            label="Restore the default"
            question="Restore the default brand?"
            detail="Your logo, icon, color and font are removed from every page. You can undo this."
            confirmLabel="Restore"
            fields={{ intent: 'restore' }}
          />
        ) : null}
      </BrandForm>
    </>
  );
}
