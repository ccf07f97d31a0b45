import { data, Form } from 'react-router';
import type { Route } from './+types/webhook-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  overlapHours,
  rotateWebhookSecret,
} from '#app/features/webhooks/change-webhook-endpoint.server.ts';
import { queuePing, requeueDelivery } from '#app/features/webhooks/queue-delivery.server.ts';
import { sendDueWebhooks } from '#app/features/webhooks/send-due-webhooks.server.ts';
import { webhookInput } from '#app/features/webhooks/webhook-input.ts';
import { webhookMessages } from '#app/features/webhooks/webhook-messages.ts';
import {
  countWebhookDeliveries,
  findWebhookEndpoint,
  listWebhookDeliveries,
} from '#app/features/webhooks/webhook-queries.server.ts';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { listAddress, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { askedRow } from '#app/platform/asked-row.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { rowsPerPage } from '#app/platform/table-query.ts';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { PostButton } from '#app/ui/act-form.tsx';
import { readPlainPage } from '../frame/plain-table.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { DeliveryLog, EndpointHealth, WebhookFields } from './webhook-parts.tsx';
import forms from '#app/ui/form.module.css';
import styles from './developers.module.css';

const deepestPage = 100;

export async function loader({ params, request, context }: Route.LoaderArgs) {
  requireRight(context, 'api.manage');
  const { db, now } = appServices(context);
  const endpoint = await askedRow(db, params.id, findWebhookEndpoint);
  const deliveries = await readPlainPage(request, async (cut) => ({
    rows: await listWebhookDeliveries(db, endpoint.id, cut),
    total: await countWebhookDeliveries(db, endpoint.id, rowsPerPage * deepestPage),
  }));
  return { endpoint, deliveries, overlapHours, now: now() };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'api.manage').id;
  const { id } = await askedRow(appServices(context).db, params.id, findWebhookEndpoint);
  const { services, db, form, text, rowId, intent } = await readPost(context, request);
  const say = (words: string, kind: 'info' | 'error' = 'info') =>
    redirectWithFlash(context, listAddress(request), words, { kind });
  switch (intent) {
    case 'save': {
      const values = { url: text('url'), events: form.getAll('events').map(String) };
      const isActive = form.has('is_active');
      const read = webhookInput.safeParse(values);
      if (!read.success) {
        const refused = { values: { ...values, isActive }, errors: fieldErrors(read.error) };
        return data({ secret: null, refused }, { status: 422 });
      }
      await changeWebhookEndpoint(db, { actor, id, ...read.data, isActive });
      return say('Webhook saved.');
    }
    case 'rotate': {
      const secret = await rotateWebhookSecret(db, { actor, id });
      return secret === null ? say(webhookMessages.gone, 'error') : data({ secret, refused: null });
    }
    case 'delete':
      await deleteWebhookEndpoint(db, { actor, id });
      return redirectWithFlash(context, '/admin/developers', 'Webhook deleted.');
    case 'ping': {
      const deliveryId = await queuePing(db, id);
      if (deliveryId !== null) await sendDueWebhooks(services, { deliveryId });
      return say('Ping sent. See the log for the response.');
    }
    case 'resend': {
      const deliveryId = rowId('id') ?? 0;
      if (!(await requeueDelivery(db, { id: deliveryId, endpointId: id }))) {
        return say('This event is being sent, or no longer exists.', 'error');
      }
      await sendDueWebhooks(services, { deliveryId });
      return say('Sent again. See the log for the response.');
    }
    default:
      throw data(null, { status: 400 });
  }
}

export const meta = () => [{ title: 'Webhook' }];

export default function WebhookPage({ loaderData, actionData }: Route.ComponentProps) {
  const { endpoint, deliveries, now } = loaderData;
  const host = new URL(endpoint.url).host;
  const refused = actionData?.refused;
  return (
    <div className={`column gap-8 ${styles.page}`}>
      <AdminHeading
        title={`Webhook to ${host}`}
        more={<PostButton fields={{ intent: 'ping' }}>Send a ping</PostButton>}
      >
        <a href="/admin/developers">All keys and webhooks</a>
      </AdminHeading>
      {actionData?.secret ? (
        <ShownSecret
          key={actionData.secret}
          secret={{ kind: 'secret', text: actionData.secret, of: host }}
        />
      ) : null}
      <EndpointHealth endpoint={endpoint} now={now} />
      <Form method="post" className={`${forms.stack} ${styles.form}`} noValidate>
        <FormSection title="Events">
          <WebhookFields values={refused?.values ?? endpoint} errors={refused?.errors ?? {}} />
          <FullWidth>
            <CheckField
              name="is_active"
              label="On"
              hint="While it is off, no events are stored for it."
              defaultChecked={refused?.values.isActive ?? endpoint.is_active}
            />
          </FullWidth>
        </FormSection>
        <Button type="submit" variant="primary" name="intent" value="save">
          Save
        </Button>
      </Form>
      <section className={`column gap-4 ${styles.part}`} aria-labelledby="log">
        <h2 id="log">Log</h2>
        <DeliveryLog
          path={`/admin/developers/webhooks/${endpoint.id}`}
          page={deliveries}
          now={now}
        />
      </section>
      <section className={`column gap-4 ${styles.part}`} aria-labelledby="secret">
        <h2 id="secret">Secret and deletion</h2>
        <div className="row gap-3">
          <ConfirmAct
            label="Change the secret"
            question="Change the signing secret?"
            detail={
              <p>
                The new secret is shown once. The old one stays valid for {loaderData.overlapHours}{' '}
                hours.
              </p>
            }
            confirmLabel="Change"
            fields={{ intent: 'rotate' }}
          />
          <ConfirmAct
            label="Delete the webhook"
            variant="remove"
            question={`Delete the webhook to ${host}?`}
            detail={<p>Its log is deleted, and waiting events are not sent.</p>}
            confirmLabel="Delete"
            fields={{ intent: 'delete' }}
          />
        </div>
      </section>
    </div>
  );
}
