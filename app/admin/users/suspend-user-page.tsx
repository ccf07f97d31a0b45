import type { Route } from './+types/suspend-user-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  longestSuspensionReason,
  reinstateUser,
  suspendUser,
} from '#app/features/accounts/people/suspend-user.server.ts';
import { describeRefusal, userMessages } from '#app/features/accounts/people/user-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { TextField } from '#app/ui/text-field.tsx';
import { backToList } from '../frame/back-to-list.ts';
import { redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import { titled } from '../frame/titled.ts';
import { confirmStaff } from '../frame/confirm-staff.server.ts';
import { readUser } from './read-user.server.ts';
import { UserDialog } from './user-dialog.tsx';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'users.read');
  const read = await readUser(request, context, { viewer, id: params.id, act: 'users.suspend' });
  return { ...read, longest: longestSuspensionReason };
}

/** Suspends or reinstates a user, as the form says. A second press changes nothing. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const viewer = requireRight(context, 'users.suspend');
  const services = appServices(context);
  const values = typedValues(await readFormBody(request));
  const backTo = backToList(request.url, '/admin/users');
  const act = { actor: viewer.id, userId: params.id };
  const isBack = values['intent'] === 'reinstate';
  const reason = (values['reason'] ?? '').replaceAll('\0', '').trim();
  const wrong = isBack ? null : findFault(reason);
  if (wrong !== null) {
    const { password: _, credential: __, ...typed } = values;
    return refuseForm({ values: typed, errors: { reason: wrong } });
  }
  const refused = await confirmStaff(context, viewer, values);
  if (refused) return refused;
  const done = isBack
    ? await reinstateUser(services, act)
    : await suspendUser(services, { ...act, reason });
  const { reinstated, suspended } = userMessages;
  if (done.ok) return redirectWithFlash(context, backTo, isBack ? reinstated : suspended);
  return done.reason === 'missing' || done.reason === 'suspended' || done.reason === 'not-suspended'
    ? redirectWithError(context, backTo, describeRefusal(done.reason))
    : refuseForm({ values: { reason }, message: describeRefusal(done.reason) }, 409);
}

function findFault(reason: string): string | null {
  if (reason === '') return userMessages.reasonRequired;
  return reason.length > longestSuspensionReason ? userMessages.reasonTooLong : null;
}

export const meta = titled('Suspend user');

export default function SuspendUserPage({ loaderData, actionData }: Route.ComponentProps) {
  const isBack = loaderData.user.suspended_at !== null;
  return (
    <UserDialog
      title={isBack ? 'Reinstate user' : 'Suspend user'}
      read={loaderData}
      outcome={actionData}
      errorTitle={isBack ? userMessages.reinstateFailed : userMessages.suspendFailed}
      submitLabel={isBack ? 'Reinstate user' : 'Suspend user'}
      submitVariant={isBack ? 'primary' : 'danger'}
      busyLabel={isBack ? 'Reinstating...' : 'Suspending...'}
    >
      {(fields) =>
        isBack ? (
          <>
            <input type="hidden" name="intent" value="reinstate" />
            <p>
              They can sign in again, and their emails, API keys and price alerts resume. Alerts
              whose target is already met are emailed at once.
            </p>
          </>
        ) : (
          <>
            <input type="hidden" name="intent" value="suspend" />
            <p>
              They are signed out everywhere and cannot sign in. They get no alerts, reminders or
              newsletters, and their API keys are rejected. Nothing is deleted: price alerts resume
              when you reinstate them.
            </p>
            <TextField
              {...fields.of('reason')}
              required
              maxLength={loaderData.longest}
              hint="Only staff see it. The audit log keeps it, so don’t name anyone."
            />
          </>
        )
      }
    </UserDialog>
  );
}
