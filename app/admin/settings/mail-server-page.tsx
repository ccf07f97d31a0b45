import { Form } from 'react-router';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/mail-server-page';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { titled } from '../frame/titled.ts';
import { actOnMailServer, readMailServer } from './act-on-mail-server.server.ts';
import { MailServerForm } from './mail-server-form.tsx';
import styles from './settings-page.module.css';
import { tabHref } from './settings-tabs.ts';

const settings = tabHref('mail');

export function loader({ context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'mail.configure');
  return readMailServer(context, viewer);
}

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireRight(context, 'mail.configure');
  return actOnMailServer(await readPost(context, request), viewer, settings);
}

export const meta = titled('Email server');

export default function MailServerPage({ loaderData, actionData }: Route.ComponentProps) {
  const { fixed, isStored, ways } = loaderData;
  return (
    <>
      <AdminHeading title="Email server">
        <Link to={settings}>Back to the settings</Link>
      </AdminHeading>
      {fixed === null ? (
        <MailServerForm
          server={loaderData}
          outcome={actionData}
          submitLabel="Test and save"
          cancelHref={settings}
        />
      ) : (
        <p>
          Emails are sent by {fixed}. The site’s environment sets it (<code>SMTP_URL</code> or{' '}
          <code>SMTP_HOST</code>), so change it there.
        </p>
      )}
      {fixed === null && isStored ? (
        <details className={styles.part}>
          <summary>Remove this server</summary>
          <Form method="post" className="stack">
            <input type="hidden" name="intent" value="remove" />
            <p>Later emails are then kept in the outbox.</p>
            <IdentityField ways={ways} />
            <div>
              <Button type="submit">Remove</Button>
            </div>
          </Form>
        </details>
      ) : null}
    </>
  );
}
