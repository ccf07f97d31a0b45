import type { FormOutcome } from '../frame/form-outcome.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { type StaffRight, staffRights } from '#app/features/accounts/policy.ts';
import { longestSetName } from '#app/features/accounts/people/right-set-input.ts';
import { rightSetMessages } from '#app/features/accounts/people/right-set-messages.ts';
import { rightGroups, rightWords } from '#app/features/accounts/people/right-words.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { EditForm } from '../frame/edit-form.tsx';
import { FormDialog } from '../frame/form-dialog.tsx';
import { FormSection } from '../frame/form-section.tsx';
import type { readRole } from './read-role.server.ts';
import styles from './user-pages.module.css';

const labels: Record<'name' | 'password' | StaffRight, string> = {
  name: 'Name',
  password: 'Your password',
  ...(Object.fromEntries(staffRights.map((right) => [right, rightWords[right].label])) as Record<
    StaffRight,
    string
  >),
};

type Read = Omit<Awaited<ReturnType<typeof readRole>>, 'key'> & {
  /** `null` for a new role. */
  key: string | null;
  /** The name of the role whose rights are copied into a new role. */
  copied: string | null;
};

/** A role's form. Built-in roles, and users who may only read, get a list of the rights instead. */
export function RoleDialog({ read, outcome }: { read: Read; outcome: FormOutcome | undefined }) {
  const { key, role, mayChange } = read;
  const isForm = mayChange && (key === null || role.version !== null);
  return (
    <FormDialog title={key === null ? 'New role' : role.name} closeHref="/admin/roles">
      {isForm ? <RoleForm read={read} outcome={outcome} /> : <FixedRole read={read} />}
      {key === null ? null : <People {...read} />}
    </FormDialog>
  );
}

function RoleForm({
  read: { role, copied, ways },
  outcome,
}: {
  read: Read;
  outcome: FormOutcome | undefined;
}) {
  const ticked = Object.fromEntries(role.rights.map((right) => [right, 'on']));
  return (
    <EditForm
      stored={{ name: role.name, ...ticked }}
      version={role.version ?? undefined}
      outcome={outcome}
      errorTitle={rightSetMessages.saveFailed}
      labels={labels}
      submitLabel={role.version === null ? 'Create role' : 'Save role'}
      cancelHref="/admin/roles"
    >
      {(fields) => (
        <>
          <TextField
            {...fields.of('name')}
            required
            maxLength={longestSetName}
            autoComplete="off"
            hint={copied === null ? undefined : `The rights below are those of ${copied}.`}
          />
          {rightGroups.map(({ title, rights }) => (
            <FormSection key={title} title={title} isSingle>
              {rights.map((right) => (
                <CheckField key={right} {...fields.tick(right)} hint={hintOf(right)} />
              ))}
            </FormSection>
          ))}
          <IdentityField ways={ways} error={fields.error('password')} />
        </>
      )}
    </EditForm>
  );
}

function hintOf(right: StaffRight): string | undefined {
  const { hint, includes } = rightWords[right];
  const words = [hint, includes && `Includes “${rightWords[includes].label}”.`].filter(Boolean);
  return words.length === 0 ? undefined : words.join(' ');
}

function FixedRole({ read: { key, role, mayChange } }: { read: Read }) {
  return (
    <div className="stack gap-4">
      <p className="muted">{mayChange ? rightSetMessages.builtIn : rightSetMessages.readOnly}</p>
      {key === 'super_admin' ? <p>The owner. Also manages staff and the email server.</p> : null}
      <ul className={styles.rights}>
        {rightGroups.flatMap(({ rights }) =>
          rights
            .filter((right) => role.rights.includes(right))
            .map((right) => <li key={right}>{rightWords[right].label}</li>),
        )}
      </ul>
      <div className="row gap-2">
        {mayChange && key !== null ? (
          <ButtonLink to={`/admin/roles/new?from=${key}`}>Copy</ButtonLink>
        ) : null}
        <ButtonLink to="/admin/roles">Close</ButtonLink>
      </div>
    </div>
  );
}

function People({ people, invitations }: Read) {
  if (people.length === 0 && invitations === 0) return null;
  return (
    <section className={styles.doings} aria-labelledby="role-people">
      <h2 id="role-people">People with this role</h2>
      <ul className={styles.entries}>
        {people.map(({ id, email, full_name: name }) => (
          <li key={id}>
            <Link to={`/admin/users/${id}`}>{name || email}</Link>{' '}
            {name ? <span className="small">{email}</span> : null}
          </li>
        ))}
        {invitations > 0 ? (
          <li>{invitations === 1 ? 'One open invitation' : `${invitations} open invitations`}</li>
        ) : null}
      </ul>
    </section>
  );
}
