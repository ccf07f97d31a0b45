import { data } from 'react-router';
import type { Route } from './+types/reactivate-subscription-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  longestReason,
  reactivateSubscription,
} from '#app/features/newsletter/change-subscriptions.server.ts';
import { findSubscriptionById } from '#app/features/newsletter/newsletter-queries.server.ts';
import { subscriptionMessages } from '#app/features/newsletter/subscription-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { TextField } from '#app/ui/text-field.tsx';
import { backToList } from '../frame/back-to-list.ts';
import { EditDialog } from '../frame/edit-dialog.tsx';
import { redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import { titled } from '../frame/titled.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  const { db } = appServices(context);
  const subscription = await findSubscriptionById(db, parseRowId(params.id) ?? 0);
  if (!subscription || subscription.is_active) throw data(null, { status: 404 });
  return {
    email: subscription.email,
    hasLeft: subscription.unsubscribed_at !== null,
    longestReason,
    backTo: backToList(request.url, '/admin/subscriptions'),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const actor = requireRight(context, 'newsletter.manage').id;
  const { db } = appServices(context);
  const values = typedValues(await readFormBody(request));
  const backTo = backToList(request.url, '/admin/subscriptions');
  const id = parseRowId(params.id) ?? 0;
  const reason = (values['reason'] ?? '').replaceAll('\0', '');
  const done = await reactivateSubscription(db, { id, actor, reason });
  if (done.ok) return redirectWithFlash(context, backTo, subscriptionMessages.activated);
  if (done.reason === 'missing' || done.reason === 'active') {
    return redirectWithError(context, backTo, subscriptionMessages.updateFailed);
  }
  const { reasonRequired, reasonTooLong } = subscriptionMessages;
  return refuseForm({
    values,
    errors: { reason: done.reason === 'no-reason' ? reasonRequired : reasonTooLong },
  });
}

export const meta = titled('Reactivate subscription');

export default function ReactivateSubscriptionPage({
  loaderData: { email, hasLeft, longestReason: most, backTo },
  actionData,
}: Route.ComponentProps) {
  return (
    <EditDialog
      title="Reactivate subscription"
      backTo={backTo}
      stored={{}}
      outcome={actionData}
      errorTitle={subscriptionMessages.updateFailed}
      labels={{ reason: 'Reason' }}
      submitLabel="Reactivate"
    >
      {(fields) => (
        <>
          <p>
            {hasLeft
              ? `${email} unsubscribed. You may email them only if they asked for it.`
              : `${email} has not confirmed the subscription. Activate it only if they asked for it.`}
          </p>
          <TextField
            {...fields.of('reason')}
            required
            maxLength={most}
            hint="For example, “asked by phone on May 3”. The audit log keeps it, so don’t name anyone."
          />
        </>
      )}
    </EditDialog>
  );
}
