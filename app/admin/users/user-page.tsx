import type { Route } from './+types/user-page';
import { changeRole } from '#app/features/accounts/people/change-role.server.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { describeRefusal, userMessages } from '#app/features/accounts/people/user-messages.ts';
import { roleNames, roles } from '#app/features/accounts/people/user-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { backToList } from '../frame/back-to-list.ts';
import { EditForm } from '../frame/edit-form.tsx';
import { redirectWithFlash } from '../frame/flash.server.ts';
import { FormDialog } from '../frame/form-dialog.tsx';
import { typedValues } from '../frame/form-outcome.ts';
import { refuseForm } from '../frame/refuse-form.server.ts';
import { confirmStaff } from './confirm-staff.server.ts';
import { readUser } from './read-user.server.ts';
import { UserFacts } from './user-facts.tsx';
import styles from './user-pages.module.css';

export function loader({ request, context, params }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'users.read');
  return readUser(request, context, { viewer, id: params.id, act: 'users.change-role' });
}

/** Another role, for whoever gives their password again. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const viewer = requireRight(context, 'users.change-role');
  const { db, log } = appServices(context);
  const values = typedValues(await readFormBody(request));
  const role = roles.find((one) => one === values['role']);
  if (!role) return refuseForm({ values: {}, errors: { role: userMessages.noRole } });
  const refused = await confirmStaff(context, viewer, values);
  if (refused) return refused;
  const changed = await changeRole(db, { actor: viewer.id, userId: params.id, role });
  if (changed.ok) {
    const change = { userId: params.id, by: viewer.id, before: changed.before, after: role };
    log.info({ event: 'role-change', ...change }, 'role changed');
    return redirectWithFlash(
      context,
      backToList(request.url, '/admin/users'),
      userMessages.roleUpdated,
    );
  }
  const status = changed.reason === 'missing' ? 404 : 409;
  return refuseForm({ values: { role }, message: describeRefusal(changed.reason) }, status);
}

export function meta() {
  return [{ title: 'User' }];
}

export default function UserPage({ loaderData, actionData }: Route.ComponentProps) {
  const { user, refusal, ways, now, backTo } = loaderData;
  return (
    <FormDialog title={user.full_name || 'No name'} closeHref={backTo}>
      <UserFacts user={user} now={now} />
      {refusal ? (
        <>
          <p className={styles.why}>{refusal}</p>
          <ButtonLink to={backTo}>Close</ButtonLink>
        </>
      ) : (
        <EditForm
          stored={{ role: user.role }}
          outcome={actionData}
          errorTitle={userMessages.roleFailed}
          labels={{ role: 'Role', password: 'Your password' }}
          submitLabel="Change role"
          cancelHref={backTo}
        >
          {(fields) => (
            <>
              <ChoiceField
                label="Role"
                name="role"
                defaultValue={fields.value('role') || user.role}
                error={fields.error('role')}
                options={roles.map((role) => ({ value: role, label: roleNames[role] }))}
                hint="Admins run the shop. Super admins also decide who is one. The change signs this user out everywhere."
              />
              <IdentityField ways={ways} error={fields.error('password')} />
            </>
          )}
        </EditForm>
      )}
    </FormDialog>
  );
}
