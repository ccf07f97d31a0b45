import { Form } from 'react-router';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { menuItemClass, RowMenu } from '#app/admin/frame/row-menu.tsx';
import { type PillVariant, StatusPill } from '#app/admin/frame/status-pill.tsx';
import { webhookEventLabels } from '#app/features/webhooks/webhook-messages.ts';
import type {
  WebhookDeliveryEntry,
  WebhookEndpointSummary,
} from '#app/features/webhooks/webhook-queries.server.ts';
import type { TablePage } from '#app/platform/table-query.ts';
import { Button } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { CheckFields } from './check-fields.tsx';
import { type PlainColumn, PlainTable } from '../frame/plain-table.tsx';
import forms from '#app/ui/form.module.css';
import { Link } from '#app/ui/link.tsx';
import styles from './developers.module.css';

/** The values of a rejected form, with errors by field. */
export interface RefusedWebhook {
  values: { url: string; events: readonly string[] };
  errors: Record<string, string>;
}

const offered = ['deal.published', 'deal.price_changed', 'alert.fired'] as const;

/** Fields for a webhook's URL and events. */
export function WebhookFields({ values, errors }: RefusedWebhook) {
  return (
    <>
      <FullWidth>
        <TextField
          name="url"
          type="url"
          label="Address"
          required
          autoComplete="off"
          placeholder="https://example.com/hooks"
          hint="A public https address on port 443."
          defaultValue={values.url}
          error={errors.url}
        />
      </FullWidth>
      <FullWidth>
        <CheckFields
          name="events"
          legend="Events"
          offered={offered.map((event) => ({ value: event, label: webhookEventLabels[event] }))}
          chosen={values.events}
          error={errors.events}
        />
      </FullWidth>
    </>
  );
}

const blank: RefusedWebhook = { values: { url: '', events: [] }, errors: {} };

export function WebhooksPart({
  endpoints,
  refused,
  now,
}: {
  endpoints: WebhookEndpointSummary[];
  refused: RefusedWebhook | undefined;
  now: Date;
}) {
  return (
    <section className={`column gap-4 ${styles.part}`} aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <Form method="post" className={`${forms.stack} ${styles.form}`} noValidate>
        <FormSection title="New webhook">
          <WebhookFields {...(refused ?? blank)} />
        </FormSection>
        <Button type="submit" variant="primary" name="intent" value="add-webhook">
          Add webhook
        </Button>
      </Form>
      <PlainTable
        noun={{ one: 'webhook', many: 'webhooks' }}
        page={endpoints}
        columns={endpointColumns(now)}
        idOf={({ id }) => id}
        nameOf={({ url }) => url}
        empty={
          <MessagePanel icon="bell" title="No webhooks yet" level={3}>
            <p>Add an address to be notified when a deal is published or a price changes.</p>
          </MessagePanel>
        }
      />
    </section>
  );
}

function endpointColumns(now: Date): PlainColumn<WebhookEndpointSummary>[] {
  return [
    {
      label: 'Address',
      cell: ({ id, url }) => (
        <Link to={`/admin/developers/webhooks/${id}`} data-key-open className="anywhere">
          {url}
        </Link>
      ),
    },
    {
      label: 'Events',
      cell: ({ events }) => events.map((event) => webhookEventLabels[event]).join(', '),
    },
    { label: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { label: 'Added', cell: ({ created_at }) => <RelativeTime at={created_at} now={now} /> },
  ];
}

/** The status of an endpoint in one word. */
function EndpointState({
  endpoint: { is_active, switched_off_at, failures },
}: {
  endpoint: WebhookEndpointSummary;
}) {
  if (switched_off_at) return <StatusPill variant="bad">Turned off</StatusPill>;
  if (!is_active) return <StatusPill variant="plain">Off</StatusPill>;
  if (failures > 0) return <StatusPill variant="warn">Failing</StatusPill>;
  return <StatusPill variant="good">On</StatusPill>;
}

/** The status of an endpoint, with the time since which it fails or is off. */
export function EndpointHealth({ endpoint, now }: { endpoint: WebhookEndpointSummary; now: Date }) {
  const { switched_off_at, failing_since, failures, paused_until, old_secret_until } = endpoint;
  const isPaused = paused_until !== null && paused_until > now && endpoint.is_active;
  return (
    <p className={styles.health}>
      <EndpointState endpoint={endpoint} />{' '}
      {switched_off_at ? (
        <>
          Turned off automatically <RelativeTime at={switched_off_at} now={now} />, after days of
          failures. Ping it, and turn it on once it responds.
        </>
      ) : failing_since ? (
        <>
          Failing since <RelativeTime at={failing_since} now={now} />, {failures}{' '}
          {failures === 1 ? 'try' : 'tries'}.{isPaused ? ' It is paused for a while.' : ''}
        </>
      ) : null}
      {old_secret_until !== null && old_secret_until > now
        ? ' Two secrets are valid at the moment.'
        : ''}
    </p>
  );
}

const states: Record<WebhookDeliveryEntry['state'], [label: string, variant: PillVariant]> = {
  queued: ['Waiting', 'warn'],
  sent: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
  cancelled: ['Canceled', 'plain'],
};

/** The deliveries to an endpoint, with the responses. */
export function DeliveryLog({
  path,
  page,
  now,
}: {
  path: string;
  page: TablePage<WebhookDeliveryEntry>;
  now: Date;
}) {
  return (
    <PlainTable
      noun={{ one: 'message', many: 'messages' }}
      page={page}
      path={path}
      columns={deliveryColumns(now)}
      idOf={({ id }) => id}
      nameOf={({ message_id }) => message_id}
      renderMenu={({ id, message_id, state }) =>
        state === 'queued' ? null : (
          <RowMenu label={message_id}>
            <Form method="post">
              <HiddenFields fields={{ intent: 'resend', id }} />
              <button type="submit" className={menuItemClass}>
                Send again
              </button>
            </Form>
          </RowMenu>
        )
      }
      empty={
        <MessagePanel icon="clock" title="Nothing has been sent yet" level={3}>
          <p>Send a ping to test the connection.</p>
        </MessagePanel>
      }
    />
  );
}

function deliveryColumns(now: Date): PlainColumn<WebhookDeliveryEntry>[] {
  return [
    {
      label: 'Event',
      cell: ({ event, message_id }) => (
        <>
          {webhookEventLabels[event]}
          <code className={styles.messageId}>{message_id}</code>
        </>
      ),
    },
    {
      label: 'Deal',
      cell: ({ deal_id }) => (deal_id === null ? '–' : <a href={`/deals/${deal_id}`}>{deal_id}</a>),
    },
    {
      label: 'State',
      cell: ({ state }) => <StatusPill variant={states[state][1]}>{states[state][0]}</StatusPill>,
    },
    {
      label: 'Response',
      cell: ({ answer_status, last_error }) => last_error ?? answer_status ?? '–',
    },
    { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
    { label: 'When', cell: ({ occurred_at }) => <RelativeTime at={occurred_at} now={now} /> },
  ];
}
