import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/setup-brand-page';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { titled } from '../frame/titled.ts';
import { actOnBrand, readBrand } from '../settings/act-on-brand.server.ts';
import { BrandForm } from '../settings/brand-form.tsx';

const next = '/admin/setup/mail';

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'settings.write');
  return readBrand(context);
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'settings.write');
  return actOnBrand(await readPost(context, request), user, next);
}

export const meta = titled('Set up the site');

/** The third setup step: the site's logo, icon and color. */
export default function SetupBrandPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <AdminHeading title="Brand">
        Step 3 of 5. <Link to="/admin/setup/site">Back</Link>
      </AdminHeading>
      <BrandForm
        key={loaderData.version}
        brand={loaderData}
        outcome={actionData}
        submitLabel="Save and continue"
      >
        <ButtonLink to={next}>Skip</ButtonLink>
      </BrandForm>
    </>
  );
}
