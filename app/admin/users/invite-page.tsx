import type { Route } from './+types/invite-page';
import { readForm } from '#app/features/accounts/account-input.ts';
import { identityWays } from '#app/features/accounts/confirm-identity.server.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { invitationInput, longestWords } from '#app/features/accounts/people/invitation-input.ts';
import {
  describeInvitationRefusal,
  invitationMessages,
} from '#app/features/accounts/people/invitation-messages.ts';
import { inviteStaff } from '#app/features/accounts/people/invite-staff.server.ts';
import { listRightSets } from '#app/features/accounts/people/right-set-queries.server.ts';
import { staffRoleOptions } from '#app/features/accounts/people/role-choice.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readMailEnv } from '#app/features/site-settings/read-mail-env.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { Link } from '#app/ui/link.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { backToList } from '../frame/back-to-list.ts';
import { EditDialog } from '../frame/edit-dialog.tsx';
import { FormDialog } from '../frame/form-dialog.tsx';
import { redirectWithFlash } from '../frame/flash.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import { titled } from '../frame/titled.ts';
import { confirmStaff } from '../frame/confirm-staff.server.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'users.read');
  const services = appServices(context);
  return {
    mayInvite: viewer.rights.has('users.invite'),
    roles: staffRoleOptions(await listRightSets(services.db)),
    ways: await identityWays(services, viewer),
    longestWords,
    isMailKept: (await readMailEnv(services)).smtp === null,
    backTo: backToList(request.url, '/admin/users'),
  };
}

/** An invitation gives a role, so it requires the password. */
export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireRight(context, 'users.invite');
  const form = await readFormBody(request);
  const { password: _, credential: __, ...values } = typedValues(form);
  const read = readForm(invitationInput, form);
  if (!read.ok) return refuseForm({ values, errors: read.errors });
  const refused = await confirmStaff(context, viewer, typedValues(form));
  if (refused) return refused;
  const invited = await inviteStaff(appServices(context), viewer, {
    ...read.value,
    ...read.value.role,
  });
  if (invited.ok) {
    const words = invitationMessages.sent(invited.email);
    return redirectWithFlash(context, backToList(request.url, '/admin/users'), words);
  }
  const message = describeInvitationRefusal(invited.reason);
  if (invited.reason === 'too-many') return refuseForm({ values, message }, 429);
  const isOfRole = invited.reason === 'not-allowed' || invited.reason === 'no-role';
  const field = isOfRole ? 'role' : 'email';
  return refuseForm({ values, errors: { [field]: message } });
}

export const meta = titled('Invite a colleague');

export default function InvitePage({ loaderData, actionData }: Route.ComponentProps) {
  const { mayInvite, roles, ways, isMailKept, backTo } = loaderData;
  if (!mayInvite) {
    return (
      <FormDialog title="Invite a colleague" closeHref={backTo}>
        <p className="below-4 muted">{invitationMessages.readOnly}</p>
        <ButtonLink to={backTo}>Close</ButtonLink>
      </FormDialog>
    );
  }
  return (
    <EditDialog
      title="Invite a colleague"
      backTo={backTo}
      stored={{ role: 'admin' }}
      outcome={actionData}
      errorTitle={invitationMessages.failed}
      labels={{ email: 'Email', role: 'Role', words: 'Message', password: 'Your password' }}
      submitLabel="Send invitation"
      busyLabel="Sending..."
    >
      {(fields) => (
        <>
          {isMailKept ? (
            <p>
              This site has no email server, so the email waits in the outbox. On the server,{' '}
              <code>deals mail show</code> prints it with its link.
            </p>
          ) : null}
          <TextField
            {...fields.of('email')}
            type="email"
            autoComplete="off"
            required
            maxLength={254}
            hint="The email has a link that works once, for 7 days."
          />
          <ChoiceField
            {...fields.of('role')}
            options={roles}
            hint={
              <>
                Admins run the shop. Super admins also manage staff. Other roles have fewer rights:{' '}
                <Link to="/admin/roles">Roles</Link>.
              </>
            }
          />
          <TextAreaField
            {...fields.of('words')}
            rows={3}
            maxLength={loaderData.longestWords}
            hint="Optional. Included in the invitation email."
          />
          <IdentityField ways={ways} error={fields.error('password')} />
        </>
      )}
    </EditDialog>
  );
}
