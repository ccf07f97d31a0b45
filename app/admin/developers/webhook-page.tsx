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
import { readText } from '#app/platform/read-text.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { EndpointHealth } from './endpoint-health.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import forms from '#app/ui/form.module.css';
import styles from './developers.module.css';

const rows = 50;
const deepestPage = 100;

export async function loader({ params, request, context }: Route.LoaderArgs) {
  requireRight(context, 'api.manage');
  const { db, now } = appServices(context);
  const id = parseRowId(params.id) ?? 0;
  const endpoint = await findWebhookEndpoint(db, id);
  if (!endpoint) throw data(null, { status: 404 });
  const total = await countWebhookDeliveries(db, id, rows * deepestPage);
  const pageCount = Math.max(1, Math.ceil(total / rows));
  const asked = parseRowId(new URL(request.url).searchParams.get('page')) ?? 1;
  const page = Math.min(asked, pageCount);
  const deliveries = await listWebhookDeliveries(db, id, {
    limit: rows,
    offset: (page - 1) * rows,
  });
  return { endpoint, deliveries, total, page, pageCount, overlapHours, now: now() };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'api.manage').id;
  const services = appServices(context);
  const { db } = services;
  const id = parseRowId(params.id) ?? 0;
  if (!(await findWebhookEndpoint(db, id))) throw data(null, { status: 404 });
  const form = await readFormBody(request);
  const here = listAddress(request);
  switch (form.get('intent')) {
    case 'save': {
      const values = { url: readText(form, 'url'), events: form.getAll('events').map(String) };
      const isActive = form.has('is_active');
      const read = webhookInput.safeParse(values);
      if (!read.success) {
        const refused = { values: { ...values, isActive }, errors: fieldErrors(read.error) };
        return data({ secret: null, refused }, { status: 422 });
      }
      await changeWebhookEndpoint(db, { actor, id, ...read.data, isActive });
      return redirectWithFlash(context, here, 'Webhook saved.');
    }
    case 'rotate': {
      const secret = await rotateWebhookSecret(db, { actor, id });
      return secret === null
        ? redirectWithFlash(context, here, webhookMessages.gone, { kind: 'error' })
        : data({ secret, refused: null });
    }
    case 'delete':
      await deleteWebhookEndpoint(db, { actor, id });
      return redirectWithFlash(context, '/admin/developers', 'Webhook deleted.');
    case 'ping': {
      const deliveryId = await queuePing(db, id);
      if (deliveryId !== null) await sendDueWebhooks(services, { deliveryId });
      return redirectWithFlash(context, here, 'Ping sent. The answer is in the log.');
    }
    case 'resend': {
      const deliveryId = parseRowId(form.get('id')) ?? 0;
      if (!(await requeueDelivery(db, { id: deliveryId, endpointId: id }))) {
        return redirectWithFlash(
          context,
          here,
          'It is being sent right now, or no longer exists.',
          {
            kind: 'error',
          },
        );
      }
      await sendDueWebhooks(services, { deliveryId });
      return redirectWithFlash(context, here, 'Sent again. The answer is in the log.');
    }
    default:
      throw data(null, { status: 400 });
  }
}

/** Answers who acts. */
export function meta() {
  return [{ title: 'Webhook' }];
}

export default function WebhookPage({ loaderData, actionData }: Route.ComponentProps) {
  const { endpoint, deliveries, total, page, pageCount, now } = loaderData;
  const host = new URL(endpoint.url).host;
  const refused = actionData?.refused;
  return (
    <div className={styles.page}>
      <AdminHeading
        title={`Webhook to ${host}`}
        more={
          <Form method="post">
            <input type="hidden" name="intent" value="ping" />
            <Button type="submit">Send a ping</Button>
          </Form>
        }
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
        <input type="hidden" name="intent" value="save" />
        <FormSection title="What it is told">
          <WebhookFields values={refused?.values ?? endpoint} errors={refused?.errors ?? {}} />
          <FullWidth>
            <CheckField
              name="is_active"
              label="On"
              hint="While it is off nothing is kept for it."
              defaultChecked={refused?.values.isActive ?? endpoint.is_active}
            />
          </FullWidth>
        </FormSection>
        <Button type="submit" look="primary">
          Save
        </Button>
      </Form>
      <section className={styles.part} aria-labelledby="log">
        <h2 id="log">Log</h2>
        <DeliveryLog
          endpointId={endpoint.id}
          page={{ rows: deliveries, total, page, pageCount }}
          now={now}
        />
      </section>
      <section className={styles.part} aria-labelledby="secret">
        <h2 id="secret">Secret and end</h2>
        <div className={styles.acts}>
          <ConfirmAct
            label="Change the secret"
            question="Change the signing secret?"
            detail={
              <p>
                The new one is shown once. The old one signs beside it for {loaderData.overlapHours}{' '}
                hours.
              </p>
            }
            confirmLabel="Change"
            fields={{ intent: 'rotate' }}
          />
          <ConfirmAct
            label="Delete the webhook"
            look="danger"
            question={`Delete the webhook to ${host}?`}
            detail={<p>Its log goes with it, and what waits is not sent.</p>}
            confirmLabel="Delete"
            fields={{ intent: 'delete' }}
          />
        </div>
      </section>
    </div>
  );
}
