import { Form } from 'react-router';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { menuItemClass, RowMenu } from '#app/admin/frame/row-menu.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { isStaff, rightsHeldBy } from '#app/features/accounts/policy.ts';
import type { ApiKeySummary } from '#app/features/public-api/api-key-queries.server.ts';
import { apiKeyWords, rightsInForce } from '#app/features/public-api/api-key-rights.ts';
import type { ApiKeyRight } from '#database/schema/program-tables.ts';
import { Button } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { CheckFields } from './check-fields.tsx';
import { type PlainColumn, PlainTable } from '../frame/plain-table.tsx';
import forms from '#app/ui/form.module.css';
import styles from './developers.module.css';

/** The values of a rejected form, with errors by field. */
export interface RefusedKey {
  values: { name: string; per_minute: string; rights: readonly string[] };
  errors: Record<string, string>;
}

export function ApiKeysPart({
  keys,
  grantable,
  limits,
  refused,
  now,
}: {
  keys: ApiKeySummary[];
  /** The rights that the current user may grant to a key. */
  grantable: readonly ApiKeyRight[];
  limits: { anonymous: string; withKey: string };
  refused: RefusedKey | undefined;
  now: Date;
}) {
  return (
    <section className={`column gap-4 ${styles.part}`} aria-labelledby="api-keys">
      <h2 id="api-keys">API keys</h2>
      <Form method="post" className={`${forms.stack} ${styles.form}`} noValidate>
        <FormSection title="New key" hint={`${limits.anonymous}, ${limits.withKey}.`}>
          <TextField
            name="name"
            label="Name"
            required
            maxLength={80}
            autoComplete="off"
            defaultValue={refused?.values.name}
            error={refused?.errors.name}
          />
          <FullWidth>
            <CheckFields
              name="rights"
              legend="Permissions"
              offered={grantable.map((right) => ({ value: right, ...apiKeyWords[right] }))}
              chosen={refused?.values.rights ?? ['limits']}
              error={refused?.errors.rights}
            />
          </FullWidth>
          <TextField
            name="per_minute"
            label="Requests per minute"
            inputMode="numeric"
            autoComplete="off"
            hint="For keys with higher limits. Leave blank for the default."
            defaultValue={refused?.values.per_minute}
            error={refused?.errors.per_minute}
          />
        </FormSection>
        <Button type="submit" variant="primary" name="intent" value="create-key">
          Create key
        </Button>
      </Form>
      <PlainTable
        page={keys}
        noun={{ one: 'key', many: 'keys' }}
        columns={columns(now)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        renderMenu={({ id, name, revoked_at }) =>
          revoked_at ? null : (
            <RowMenu label={name}>
              <ConfirmAct
                label="Revoke"
                variant="quiet"
                className={menuItemClass}
                question={`Revoke the key “${name}”?`}
                detail={
                  <p>
                    Requests with this key are rejected from now on. You cannot restore a revoked
                    key.
                  </p>
                }
                confirmLabel="Revoke"
                fields={{ intent: 'revoke-key', id: String(id) }}
              />
            </RowMenu>
          )
        }
        empty={
          <MessagePanel icon="shield" title="No keys yet" level={3}>
            <p>
              Public data can be read without a key. A key raises the limits or gives access to
              clicks.
            </p>
          </MessagePanel>
        }
      />
    </section>
  );
}

function grants(
  key: Pick<ApiKeySummary, 'rights' | 'rightSet' | 'setRights'>,
  role: NonNullable<ApiKeySummary['maker_role']>,
): boolean {
  return rightsInForce({ ...key, role }, () => rightsHeldBy({ ...key, role })).size > 0;
}

function columns(now: Date): PlainColumn<ApiKeySummary>[] {
  return [
    { label: 'Name', cell: ({ name }) => name },
    { label: 'Prefix', cell: ({ prefix }) => <code>{prefix}…</code> },
    {
      label: 'Permissions',
      cell: ({ rights }) => rights.map((right) => apiKeyWords[right].label).join(', '),
    },
    {
      label: 'Per minute',
      isNumber: true,
      cell: ({ per_minute, rights }) =>
        per_minute?.toLocaleString('en-US') ??
        (rights.includes('limits') ? 'usual' : 'public data'),
    },
    {
      label: 'Last used',
      cell: ({ last_used_at }) =>
        last_used_at ? <RelativeTime at={last_used_at} now={now} /> : 'never',
    },
    { label: 'Created by', cell: ({ created_by }) => created_by ?? 'a deleted account' },
    {
      label: 'State',
      cell: ({ revoked_at, stopped_at, maker_role, ...key }) =>
        revoked_at ? (
          <StatusPill variant="plain">Revoked</StatusPill>
        ) : stopped_at ? (
          <StatusPill variant="warn">Stopped: its creator is suspended</StatusPill>
        ) : maker_role !== null && !isStaff(maker_role) ? (
          <StatusPill variant="warn">Stopped: its creator is no longer staff</StatusPill>
        ) : maker_role !== null && !grants(key, maker_role) ? (
          <StatusPill variant="warn">Stopped: its creator’s role lacks the rights</StatusPill>
        ) : (
          <StatusPill variant="good">Active</StatusPill>
        ),
    },
  ];
}
