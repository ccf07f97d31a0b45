import { Form } from 'react-router';
import { type Column, DataTable } from '#app/admin/frame/data-table.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { menuItemClass, RowMenu } from '#app/admin/frame/row-menu.tsx';
import { type PillLook, StatusPill } from '#app/admin/frame/status-pill.tsx';
import { webhookEventLabels } from '#app/features/webhooks/webhook-messages.ts';
import type { WebhookDeliveryEntry } from '#app/features/webhooks/webhook-queries.server.ts';
import type { TablePage } from '#app/platform/table-query.ts';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { wholeTable } from './whole-table.ts';
import styles from './developers.module.css';

const states: Record<WebhookDeliveryEntry['state'], [label: string, look: PillLook]> = {
  queued: ['Waiting', 'warn'],
  sent: ['Taken', 'good'],
  failed: ['Failed', 'bad'],
  cancelled: ['Cancelled', 'plain'],
};

/** What was sent to an endpoint, and what it answered. */
export function DeliveryLog({
  endpointId,
  page,
  now,
}: {
  endpointId: number;
  page: TablePage<WebhookDeliveryEntry>;
  now: Date;
}) {
  const { spec, query } = wholeTable(page.rows);
  const path = `/admin/developers/webhooks/${endpointId}`;
  return (
    <DataTable
      noun={{ one: 'message', many: 'messages' }}
      spec={{ ...spec, path }}
      query={query}
      page={page}
      columns={columns(now)}
      idOf={({ id }) => id}
      nameOf={({ message_id }) => message_id}
      renderMenu={menuOf}
      empty={
        <MessagePanel icon="clock" title="Nothing was sent yet" level={3}>
          <p>A ping shows whether it listens.</p>
        </MessagePanel>
      }
    />
  );
}

function menuOf({ id, message_id, state }: WebhookDeliveryEntry) {
  if (state === 'queued') return null;
  return (
    <RowMenu label={message_id}>
      <Form method="post">
        <input type="hidden" name="intent" value="resend" />
        <input type="hidden" name="id" value={id} />
        <button type="submit" className={menuItemClass}>
          Send again
        </button>
      </Form>
    </RowMenu>
  );
}

function columns(now: Date): Column<WebhookDeliveryEntry, 'newest'>[] {
  return [
    {
      label: 'What',
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
      cell: ({ state }) => <StatusPill look={states[state][1]}>{states[state][0]}</StatusPill>,
    },
    {
      label: 'Answer',
      cell: ({ answer_status, last_error }) => last_error ?? answer_status ?? '–',
    },
    { label: 'Tries', isNumber: true, cell: ({ attempts }) => attempts },
    { label: 'When', cell: ({ occurred_at }) => <RelativeTime at={occurred_at} now={now} /> },
  ];
}
