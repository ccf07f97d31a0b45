import type { Route } from './+types/delete-user-page';
import { deleteUser } from '#app/features/accounts/people/erase-account.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { describeRefusal, userMessages } from '#app/features/accounts/people/user-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { backToList } from '../frame/back-to-list.ts';
import { redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import { titled } from '../frame/titled.ts';
import { confirmStaff } from '../frame/confirm-staff.server.ts';
import { readUser } from './read-user.server.ts';
import { UserDialog } from './user-dialog.tsx';

export function loader({ request, context, params }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'users.read');
  return readUser(request, context, { viewer, id: params.id, act: 'users.delete' });
}

/** Deletes the user after a password check. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const viewer = requireRight(context, 'users.delete');
  const values = typedValues(await readFormBody(request));
  const refused = await confirmStaff(context, viewer, values);
  if (refused) return refused;
  const act = { actor: viewer.id, userId: params.id };
  const deleted = await deleteUser(appServices(context), act);
  const backTo = backToList(request.url, '/admin/users');
  if (deleted.ok) return redirectWithFlash(context, backTo, userMessages.deleted);
  if (deleted.reason === 'missing') {
    return redirectWithError(context, backTo, userMessages.deleteFailed);
  }
  return refuseForm({ values: {}, message: describeRefusal(deleted.reason) }, 409);
}

export const meta = titled('Delete user');

export default function DeleteUserPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <UserDialog
      title={loaderData.refusal ? 'Delete user' : userMessages.confirmDelete}
      read={loaderData}
      outcome={actionData}
      errorTitle={userMessages.deleteFailed}
      submitLabel="Delete user"
      submitVariant="danger"
      busyLabel="Deleting..."
    >
      {() => (
        <p>
          The account, its sessions, favorites, price alerts, subscription and emails are deleted
          for good. The audit log keeps their actions under an anonymous number.
        </p>
      )}
    </UserDialog>
  );
}
