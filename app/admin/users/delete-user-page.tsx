import type { Route } from './+types/delete-user-page';
import { deleteUser } from '#app/features/accounts/people/delete-user.server.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { describeRefusal, userMessages } from '#app/features/accounts/people/user-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
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
  return readUser(request, context, { viewer, id: params.id, act: 'users.delete' });
}

/** Deletes the user, for whoever gives their password again. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const viewer = requireRight(context, 'users.delete');
  const values = typedValues(await readFormBody(request));
  const refused = await confirmStaff(context, viewer, values);
  if (refused) return refused;
  const { id } = params;
  const deleted = await deleteUser(appServices(context), { actor: viewer.id, userId: id });
  const backTo = backToList(request.url, '/admin/users');
  if (deleted.ok) return redirectWithFlash(context, backTo, userMessages.deleted);
  if (deleted.reason === 'missing') {
    return redirectWithFlash(context, backTo, userMessages.deleteFailed, { kind: 'error' });
  }
  return refuseForm({ values: {}, message: describeRefusal(deleted.reason) }, 409);
}

export function meta() {
  return [{ title: 'Delete user' }];
}

export default function DeleteUserPage({ loaderData, actionData }: Route.ComponentProps) {
  const { user, refusal, ways, now, backTo } = loaderData;
  return (
    <FormDialog title={refusal ? 'Delete user' : userMessages.confirmDelete} closeHref={backTo}>
      <UserFacts user={user} now={now} />
      {refusal ? (
        <>
          <p className={styles.why}>{refusal}</p>
          <ButtonLink to={backTo}>Close</ButtonLink>
        </>
      ) : (
        <EditForm
          stored={{}}
          outcome={actionData}
          errorTitle={userMessages.deleteFailed}
          labels={{ password: 'Your password' }}
          submitLabel="Delete user"
          submitLook="danger"
          busyLabel="Deleting..."
          cancelHref={backTo}
        >
          {(fields) => (
            <>
              <p>
                Account, sessions, favorites, price alerts, subscription and mails go for good. The
                audit log keeps what they did under a number that names nobody.
              </p>
              <IdentityField ways={ways} error={fields.error('password')} />
            </>
          )}
        </EditForm>
      )}
    </FormDialog>
  );
}
