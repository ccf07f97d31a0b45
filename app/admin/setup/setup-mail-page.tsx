import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/setup-mail-page';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { titled } from '../frame/titled.ts';
import { actOnMailServer, readMailServer } from '../settings/act-on-mail-server.server.ts';
import { actOnLogo } from '../settings/act-on-settings.server.ts';
import { LogoForm } from '../settings/logo-form.tsx';
import { MailServerForm } from '../settings/mail-server-form.tsx';

const here = '/admin/setup/mail';
const next = '/admin/setup/data';

export function loader({ context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'mail.configure');
  return readMailServer(context, viewer);
}

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireRight(context, 'mail.configure');
  const post = await readPost(context, request);
  return /^(?:remove-)?logo$/.test(post.intent)
    ? actOnLogo(post, viewer.id, here)
    : actOnMailServer(post, viewer, next);
}

export const meta = titled('Set up the site');

/** The third setup step: the site's logo and its mail server. */
export default function SetupMailPage({ loaderData, actionData }: Route.ComponentProps) {
  const logo = actionData && 'logo' in actionData ? actionData.logo : undefined;
  const outcome = actionData && 'values' in actionData ? actionData : undefined;
  return (
    <div className="stack gap-5">
      <AdminHeading title="Logo and email">
        Step 3 of 4. <Link to="/admin/setup/site">Back</Link>
      </AdminHeading>
      <LogoForm logoUrl={loaderData.logoUrl} refused={logo} />
      {loaderData.fixed === null ? (
        <MailServerForm
          server={loaderData}
          outcome={outcome}
          submitLabel="Test, save and continue"
          cancelHref={next}
          cancelLabel="Skip"
        />
      ) : (
        <>
          <p>Emails are sent by {loaderData.fixed}, which the environment names.</p>
          <ButtonLink to={next} variant="primary">
            Continue
          </ButtonLink>
        </>
      )}
    </div>
  );
}
