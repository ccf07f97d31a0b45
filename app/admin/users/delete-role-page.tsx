import type { Route } from './+types/delete-role-page';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { deleteRightSet } from '#app/features/accounts/people/change-right-sets.server.ts';
import {
  describeRightSetRefusal,
  rightSetMessages,
} from '#app/features/accounts/people/right-set-messages.ts';
import { listRightSets } from '#app/features/accounts/people/right-set-queries.server.ts';
import { parseRole, staffRoleOptions } from '#app/features/accounts/people/role-choice.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { confirmStaff } from '../frame/confirm-staff.server.ts';
import { trashNote } from '../frame/deletion-detail.tsx';
import { EditForm } from '../frame/edit-form.tsx';
import { redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { FormDialog } from '../frame/form-dialog.tsx';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import { titled } from '../frame/titled.ts';
import { readRole } from './read-role.server.ts';

const list = '/admin/roles';

export async function loader({ context, params }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'users.read');
  const read = await readRole(context, viewer, params.id);
  const others = (await listRightSets(appServices(context).db)).filter(
    ({ id }) => String(id) !== params.id,
  );
  const targets = staffRoleOptions(others).filter(({ value }) => value !== 'super_admin');
  return { ...read, targets };
}

/** Deletes a right set after a password check. Its users get the chosen role. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const viewer = requireRight(context, 'users.change-role');
  const { db, log } = appServices(context);
  const typed = typedValues(await readFormBody(request));
  const { password: _, credential: __, ...values } = typed;
  const id = parseRowId(params.id);
  if (id === null) return refuseForm({ values, message: rightSetMessages.builtIn }, 409);
  const refused = await confirmStaff(context, viewer, typed);
  if (refused) return refused;
  const to = parseRole(values['to']);
  const deleted = await deleteRightSet(db, { actor: viewer.id, id, to });
  if (deleted.ok) {
    log.info({ event: 'role-set-deleted', set: id, by: viewer.id }, 'role deleted');
    return redirectWithFlash(context, list, rightSetMessages.deleted);
  }
  const message = describeRightSetRefusal(deleted.reason);
  if (deleted.reason === 'not-found') return redirectWithError(context, list, message);
  if (deleted.reason === 'not-allowed') return refuseForm({ values, message }, 409);
  return refuseForm({ values, errors: { to: message } });
}

export const meta = titled('Delete role');

export default function DeleteRolePage({ loaderData, actionData }: Route.ComponentProps) {
  const { role, people, invitations, targets, mayChange, ways } = loaderData;
  const isUsed = people.length + invitations > 0;
  if (!mayChange || role.version === null) {
    return (
      <FormDialog title="Delete role" closeHref={list}>
        <p className="below-4 muted">
          {mayChange ? rightSetMessages.builtIn : rightSetMessages.readOnly}
        </p>
        <ButtonLink to={list}>Close</ButtonLink>
      </FormDialog>
    );
  }
  return (
    <FormDialog title={`Delete role ${role.name}`} closeHref={list}>
      <EditForm
        stored={{}}
        outcome={actionData}
        errorTitle={rightSetMessages.deleteFailed}
        labels={{ to: 'New role', password: 'Your password' }}
        submitLabel="Delete role"
        submitVariant="danger"
        busyLabel="Deleting..."
        cancelHref={list}
      >
        {(fields) => (
          <>
            <p>{isUsed ? describeUse(people.length, invitations) : 'No one has this role.'}</p>
            <p>{trashNote}</p>
            {isUsed ? (
              <ChoiceField
                {...fields.of('to')}
                required
                options={[{ value: '', label: 'Choose a role' }, ...targets]}
                hint="They are signed out everywhere, and have these rights from then on."
              />
            ) : null}
            <IdentityField ways={ways} error={fields.error('password')} />
          </>
        )}
      </EditForm>
    </FormDialog>
  );
}

function describeUse(people: number, invitations: number): string {
  const parts = [
    people > 0
      ? people === 1
        ? 'One person has this role'
        : `${people} people have this role`
      : '',
    invitations > 0
      ? invitations === 1
        ? 'one open invitation offers it'
        : `${invitations} open invitations offer it`
      : '',
  ].filter(Boolean);
  return `${parts.join(', and ')}.`;
}
