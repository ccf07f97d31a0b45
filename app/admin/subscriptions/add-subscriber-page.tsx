import type { Route } from './+types/add-subscriber-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { addSubscriber } from '#app/features/newsletter/add-subscriber.server.ts';
import { subscriptionMessages } from '#app/features/newsletter/subscription-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { TextField } from '#app/ui/text-field.tsx';
import { backToList } from '../frame/back-to-list.ts';
import { EditDialog } from '../frame/edit-dialog.tsx';
import { redirectWithFlash } from '../frame/flash.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import { titled } from '../frame/titled.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  return { backTo: backToList(request.url, '/admin/subscriptions') };
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'newsletter.manage').id;
  const values = typedValues(await readFormBody(request));
  const added = await addSubscriber(appServices(context), { email: values['email'] ?? '', actor });
  if (!added.ok) {
    return refuseForm({ values, errors: { email: subscriptionMessages.addRefused[added.reason] } });
  }
  const backTo = backToList(request.url, '/admin/subscriptions');
  return redirectWithFlash(context, backTo, subscriptionMessages.added);
}

export const meta = titled('Add subscriber');

export default function AddSubscriberPage({
  loaderData: { backTo },
  actionData,
}: Route.ComponentProps) {
  return (
    <EditDialog
      title="Add subscriber"
      backTo={backTo}
      stored={{}}
      outcome={actionData}
      errorTitle={subscriptionMessages.addFailed}
      labels={{ email: 'Email' }}
      submitLabel="Ask for confirmation"
    >
      {(fields) => (
        <TextField
          {...fields.of('email')}
          type="email"
          required
          hint="They get one email with a link. Newsletters come only after they follow it."
        />
      )}
    </EditDialog>
  );
}
