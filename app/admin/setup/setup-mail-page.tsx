import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/setup-mail-page';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { titled } from '../frame/titled.ts';
import { actOnMailServer, readMailServer } from '../settings/act-on-mail-server.server.ts';
import { MailServerForm } from '../settings/mail-server-form.tsx';

const next = '/admin/setup/data';

export function loader({ context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'mail.configure');
  return readMailServer(context, viewer);
}

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireRight(context, 'mail.configure');
  return actOnMailServer(await readPost(context, request), viewer, next);
}

export const meta = titled('Set up the site');

/** The fourth setup step: the site's mail server. */
export default function SetupMailPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="stack gap-5">
      <AdminHeading title="Email server">
        Step 4 of 5. <Link to="/admin/setup/brand">Back</Link>
      </AdminHeading>
      {loaderData.fixed === null ? (
        <MailServerForm
          server={loaderData}
          outcome={actionData}
          submitLabel="Test, save and continue"
          cancelHref={next}
          cancelLabel="Skip"
        />
      ) : (
        <>
          <p>Emails are sent by {loaderData.fixed}, as set in the site’s environment.</p>
          <ButtonLink to={next} variant="primary">
            Continue
          </ButtonLink>
        </>
      )}
    </div>
  );
}
