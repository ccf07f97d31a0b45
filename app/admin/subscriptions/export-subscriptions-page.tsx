import type { Route } from './+types/export-subscriptions-page';
import {
  describeIdentityRefusal,
  identityWays,
  isIdentityRefusal,
} from '#app/features/accounts/confirm-identity.server.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { backToList } from '../frame/back-to-list.ts';
import { FormDialog } from '../frame/form-dialog.tsx';
import { titled } from '../frame/titled.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'newsletter.manage');
  const refused = new URL(request.url).searchParams.get('refused');
  return {
    ways: await identityWays(appServices(context), viewer),
    error: isIdentityRefusal(refused) ? describeIdentityRefusal(refused) : undefined,
    backTo: backToList(request.url, '/admin/subscriptions').replace(/[?&]refused=[^&]*/, ''),
  };
}

export const meta = titled('Export subscriptions');

/** Requires an identity check before the route below sends the file. */
export default function ExportSubscriptionsPage({ loaderData }: Route.ComponentProps) {
  const { ways, error, backTo } = loaderData;
  return (
    <FormDialog title="Export CSV" closeHref={backTo}>
      {/* The browser sends the form itself, since the response is a file. */}
      <form method="post" action="/admin/subscriptions/file" className={forms.stack}>
        <p>
          The file contains the address of every subscriber, whatever the list’s filter. The audit
          log records exports.
        </p>
        <IdentityField ways={ways} error={error} />
        <p className={forms.actions}>
          <Button type="submit" variant="primary">
            Download
          </Button>
          <ButtonLink to={backTo}>Close</ButtonLink>
        </p>
      </form>
    </FormDialog>
  );
}
