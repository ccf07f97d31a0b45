import type { ComponentProps, ReactNode } from 'react';
import type { Role } from '#database/schema/account-tables.ts';
import { type NamedRole, nameRole, roleValue } from '#app/features/accounts/people/role-choice.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { reasonLabels, suspensionTable } from '#app/platform/mail/suspension-table.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { type EditFields, EditForm } from '../frame/edit-form.tsx';
import { FormDialog } from '../frame/form-dialog.tsx';
import { RelativeTime } from '../frame/relative-time.tsx';
import { type PillVariant, StatusPill } from '../frame/status-pill.tsx';
import type { readUser } from './read-user.server.ts';
import styles from './user-pages.module.css';

const labels = { role: 'Role', reason: 'Reason', password: 'Your password' };

/**
 * A user's details, with a form that requires an identity check, or the reason why there is none.
 */
export function UserDialog({
  title,
  read: { user, suspension, refusal, ways, now, backTo },
  below,
  children,
  ...form
}: {
  title: string;
  read: Awaited<ReturnType<typeof readUser>>;
  /** Content after the form. */
  below?: ReactNode;
  children: (fields: EditFields<keyof typeof labels>) => ReactNode;
} & Pick<
  ComponentProps<typeof EditForm>,
  'outcome' | 'errorTitle' | 'submitLabel' | 'submitVariant' | 'busyLabel'
>) {
  const facts: Record<string, ReactNode> = {
    Name: user.full_name || 'No name',
    Email: `${user.email} (${user.email_verified ? 'verified' : 'not verified yet'})`,
    Role: <RoleBadge {...user} />,
    'Two-factor': user.two_factor_enabled ? 'On' : 'Off',
    Passkeys: user.passkeyCount || 'None',
    Joined: <RelativeTime at={user.created_at} now={now} />,
    'Last seen': <RelativeTime at={user.lastSeenAt} now={now} />,
    ...(suspension && {
      'Alerts and newsletters': (
        <>
          <Link to={`${suspensionTable.path}?q=${encodeURIComponent(user.email)}`}>Paused</Link>,{' '}
          {reasonLabels[suspension.reason].toLowerCase()}{' '}
          <RelativeTime at={suspension.since} now={now} />
        </>
      ),
    }),
    ...(user.suspended_at && {
      Suspended: (
        <>
          <RelativeTime at={user.suspended_at} now={now} />: {user.suspended_for}
        </>
      ),
    }),
  };
  return (
    <FormDialog title={title} closeHref={backTo}>
      <dl className={`pairs stack gap-tight below-5 ${styles.facts}`}>
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {refusal ? (
        <>
          <p className="below-4 muted">{refusal}</p>
          <ButtonLink to={backTo}>Close</ButtonLink>
        </>
      ) : (
        <EditForm {...form} stored={{ role: roleValue(user) }} labels={labels} cancelHref={backTo}>
          {(fields) => (
            <>
              {children(fields)}
              <IdentityField ways={ways} error={fields.error('password')} />
            </>
          )}
        </EditForm>
      )}
      {below}
    </FormDialog>
  );
}

const variants: Record<Role, PillVariant> = { user: 'plain', admin: 'good', super_admin: 'warn' };

export function RoleBadge({ role, rightSet, setName }: NamedRole) {
  const name = nameRole({ role, rightSet, setName });
  return <StatusPill variant={variants[role]}>{name}</StatusPill>;
}
