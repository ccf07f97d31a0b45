import { Form, Link } from 'react-router';
import { type Column, DataTable } from '#app/admin/frame/data-table.tsx';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { webhookEventLabels } from '#app/features/webhooks/webhook-messages.ts';
import type { WebhookEndpointSummary } from '#app/features/webhooks/webhook-queries.server.ts';
import { Button } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { EndpointState } from './endpoint-state.tsx';
import type { RefusedWebhook } from './refused-forms.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { wholeTable } from './whole-table.ts';
import forms from '#app/ui/form.module.css';
import styles from './developers.module.css';

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
    <section className={styles.part} aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <Form method="post" className={`${forms.stack} ${styles.form}`} noValidate>
        <input type="hidden" name="intent" value="add-webhook" />
        <FormSection title="New webhook">
          <WebhookFields
            values={refused?.values ?? { url: '', events: [] }}
            errors={refused?.errors ?? {}}
          />
        </FormSection>
        <Button type="submit" look="primary">
          Add webhook
        </Button>
      </Form>
      <DataTable
        {...wholeTable(endpoints)}
        noun={{ one: 'webhook', many: 'webhooks' }}
        columns={columns(now)}
        idOf={({ id }) => id}
        nameOf={({ url }) => url}
        empty={
          <MessagePanel icon="bell" title="No webhooks yet" level={3}>
            <p>Add an address, and it is told when a deal is published or a price changes.</p>
          </MessagePanel>
        }
      />
    </section>
  );
}

function columns(now: Date): Column<WebhookEndpointSummary, 'newest'>[] {
  return [
    {
      label: 'Address',
      cell: ({ id, url }) => (
        <Link to={`/admin/developers/webhooks/${id}`} data-key-open className={styles.address}>
          {url}
        </Link>
      ),
    },
    {
      label: 'Told when',
      cell: ({ events }) => events.map((event) => webhookEventLabels[event]).join(', '),
    },
    { label: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { label: 'Added', cell: ({ created_at }) => <RelativeTime at={created_at} now={now} /> },
  ];
}
