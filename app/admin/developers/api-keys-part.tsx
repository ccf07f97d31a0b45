import { Form } from 'react-router';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { type Column, DataTable } from '#app/admin/frame/data-table.tsx';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { menuItemClass, RowMenu } from '#app/admin/frame/row-menu.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import type { ApiKeySummary } from '#app/features/public-api/api-key-queries.server.ts';
import { Button } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { wholeTable } from './whole-table.ts';
import type { RefusedKey } from './refused-forms.ts';
import forms from '#app/ui/form.module.css';
import styles from './developers.module.css';

export function ApiKeysPart({
  keys,
  limits,
  refused,
  now,
}: {
  keys: ApiKeySummary[];
  limits: { anonymous: string; withKey: string };
  refused: RefusedKey | undefined;
  now: Date;
}) {
  return (
    <section className={styles.part} aria-labelledby="api-keys">
      <h2 id="api-keys">API keys</h2>
      <Form method="post" className={`${forms.stack} ${styles.form}`} noValidate>
        <input type="hidden" name="intent" value="create-key" />
        <FormSection title="New key" hint={`${limits.anonymous}, ${limits.withKey}.`}>
          <TextField
            name="name"
            type="text"
            label="Who or what it is for"
            required
            maxLength={80}
            autoComplete="off"
            defaultValue={refused?.values.name}
            error={refused?.errors.name}
          />
          <TextField
            name="per_minute"
            type="text"
            label="Requests a minute"
            inputMode="numeric"
            autoComplete="off"
            hint="Empty: the usual number."
            defaultValue={refused?.values.per_minute}
            error={refused?.errors.per_minute}
          />
        </FormSection>
        <Button type="submit" look="primary">
          Create key
        </Button>
      </Form>
      <DataTable
        {...wholeTable(keys)}
        noun={{ one: 'key', many: 'keys' }}
        columns={columns(now)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        renderMenu={menuOf}
        empty={
          <MessagePanel icon="shield" title="No keys yet" level={3}>
            <p>Everybody may read without one. A key only raises the limit.</p>
          </MessagePanel>
        }
      />
    </section>
  );
}

function menuOf(key: ApiKeySummary) {
  return key.revoked_at ? null : (
    <RowMenu label={key.name}>
      <Revoke apiKey={key} />
    </RowMenu>
  );
}

function columns(now: Date): Column<ApiKeySummary, 'newest'>[] {
  return [
    { label: 'Name', cell: ({ name }) => name },
    { label: 'Begins with', cell: ({ prefix }) => <code>{prefix}…</code> },
    {
      label: 'A minute',
      isNumber: true,
      cell: ({ per_minute }) => per_minute?.toLocaleString('en-US') ?? 'usual',
    },
    {
      label: 'Last used',
      cell: ({ last_used_at }) =>
        last_used_at ? <RelativeTime at={last_used_at} now={now} /> : 'never',
    },
    { label: 'Made by', cell: ({ created_by }) => created_by ?? 'a deleted account' },
    {
      label: 'State',
      cell: ({ revoked_at }) =>
        revoked_at ? (
          <StatusPill look="plain">Revoked</StatusPill>
        ) : (
          <StatusPill look="good">In use</StatusPill>
        ),
    },
  ];
}

function Revoke({ apiKey }: { apiKey: ApiKeySummary }) {
  return (
    <ConfirmAct
      label="Revoke"
      look="quiet"
      className={menuItemClass}
      question={`Revoke the key “${apiKey.name}”?`}
      detail={<p>Whoever uses it is refused from now on. A revoked key cannot be brought back.</p>}
      confirmLabel="Revoke"
      fields={{ intent: 'revoke-key', id: String(apiKey.id) }}
    />
  );
}
