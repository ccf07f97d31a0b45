import { useLocation } from 'react-router';
import type { Route } from './+types/user-page';
import { changeRole } from '#app/features/accounts/people/change-role.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { describeRefusal, userMessages } from '#app/features/accounts/people/user-messages.ts';
import { listRightSets } from '#app/features/accounts/people/right-set-queries.server.ts';
import {
  parseRole,
  roleValue,
  staffRoleOptions,
} from '#app/features/accounts/people/role-choice.ts';
import { roleNames } from '#app/features/accounts/people/user-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { backToList } from '../frame/back-to-list.ts';
import { redirectWithFlash } from '../frame/flash.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import { titled } from '../frame/titled.ts';
import { confirmStaff } from '../frame/confirm-staff.server.ts';
import { actOnSessions } from './act-on-sessions.server.ts';
import { readDoings, readSessions, readUser } from './read-user.server.ts';
import { UserDialog } from './user-dialog.tsx';
import { UserDoings } from './user-doings.tsx';
import { UserSessions } from './user-sessions.tsx';
import styles from './user-pages.module.css';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'users.read');
  const [read, doings] = await Promise.all([
    readUser(request, context, { viewer, id: params.id, act: 'users.change-role' }),
    readDoings(context, viewer, params.id),
  ]);
  const isOther = viewer.id !== params.id;
  const { db } = appServices(context);
  return {
    ...read,
    doings,
    sessions: await readSessions(context, viewer, read.user),
    roleOptions: [
      { value: 'user', label: roleNames.user },
      ...staffRoleOptions(await listRightSets(db)),
    ],
    mayAct: isOther && viewer.rights.has('users.suspend'),
  };
}

/** Changes the role after a password check, or ends sessions. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const viewer = requireRight(context, 'users.change-role');
  const { db, log } = appServices(context);
  const values = typedValues(await readFormBody(request));
  if (values['intent']?.startsWith('end-session')) {
    return actOnSessions(request, context, { viewer, userId: params.id, values });
  }
  const choice = parseRole(values['role']);
  if (!choice) return refuseForm({ values: {}, errors: { role: userMessages.noRole } });
  const refused = await confirmStaff(context, viewer, values);
  if (refused) return refused;
  const changed = await changeRole(db, { actor: viewer.id, userId: params.id, ...choice });
  if (changed.ok) {
    const change = { userId: params.id, by: viewer.id, before: changed.before, after: choice.role };
    log.info({ event: 'role-change', ...change }, 'role changed');
    const backTo = backToList(request.url, '/admin/users');
    return redirectWithFlash(context, backTo, userMessages.roleUpdated);
  }
  const status = changed.reason === 'missing' ? 404 : 409;
  return refuseForm(
    { values: { role: roleValue(choice) }, message: describeRefusal(changed.reason) },
    status,
  );
}

export const meta = titled('User');

export default function UserPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <UserDialog
      title={loaderData.user.full_name || 'No name'}
      read={loaderData}
      below={
        <>
          {loaderData.mayAct ? <UserActs user={loaderData.user} /> : null}
          <UserSessions
            sessions={loaderData.sessions}
            name={loaderData.user.full_name || loaderData.user.email}
            now={loaderData.now}
          />
          <UserDoings {...loaderData} />
        </>
      }
      outcome={actionData}
      errorTitle={userMessages.roleFailed}
      submitLabel="Change role"
    >
      {(fields) => (
        <ChoiceField
          {...fields.of('role')}
          options={loaderData.roleOptions}
          hint={
            <>
              Admins run the shop. Super admins also manage staff. Other roles have fewer rights:{' '}
              <Link to="/admin/roles">Roles</Link>. The change signs this user out everywhere.
            </>
          }
        />
      )}
    </UserDialog>
  );
}

function UserActs({
  user: { id, suspended_at },
}: Pick<Route.ComponentProps['loaderData'], 'user'>) {
  const { search } = useLocation();
  const here = `/admin/users/${id}` as const;
  return (
    <div className={styles.acts}>
      <ButtonLink to={`${here}/suspend`.concat(search)}>
        {suspended_at ? 'Reinstate' : 'Suspend'}
      </ButtonLink>
      <ButtonLink to={`${here}/delete`.concat(search)} variant="quiet">
        Delete
      </ButtonLink>
    </div>
  );
}
