import type { Route } from './+types/edit-role-page';
import { readForm } from '#app/features/accounts/account-input.ts';
import { identityWays } from '#app/features/accounts/confirm-identity.server.ts';
import { covers, staffRights } from '#app/features/accounts/policy.ts';
import {
  createRightSet,
  updateRightSet,
} from '#app/features/accounts/people/change-right-sets.server.ts';
import { rightSetInput } from '#app/features/accounts/people/right-set-input.ts';
import {
  describeRightSetRefusal,
  rightSetMessages,
} from '#app/features/accounts/people/right-set-messages.ts';
import { withIncluded } from '#app/features/accounts/people/right-words.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { answerSave } from '../frame/answer-save.server.ts';
import { confirmStaff } from '../frame/confirm-staff.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import { titled } from '../frame/titled.ts';
import { findRole, readRole } from './read-role.server.ts';
import { RoleDialog } from './role-dialog.tsx';

const list = '/admin/roles';

/** A dialog over the list. `?from=` ticks the rights of another role. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'users.read');
  if (params.id !== undefined)
    return { ...(await readRole(context, viewer, params.id)), copied: null };
  const services = appServices(context);
  const from = new URL(request.url).searchParams.get('from');
  const copied = from === null ? null : await findRole(services.db, from);
  return {
    key: null,
    role: { name: '', rights: copied?.rights ?? [], version: null },
    people: [],
    invitations: 0,
    mayChange: viewer.rights.has('users.change-role'),
    ways: await identityWays(services, viewer),
    copied: copied?.name ?? null,
  };
}

/** Creates or changes a right set after a password check. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const viewer = requireRight(context, 'users.change-role');
  const { db, log } = appServices(context);
  const form = await readFormBody(request);
  const { password: _, credential: __, ...values } = typedValues(form);
  const id = params.id === undefined ? null : parseRowId(params.id);
  // Built-in roles have no number.
  if (params.id !== undefined && id === null) {
    return refuseForm({ values, message: rightSetMessages.builtIn }, 409);
  }
  const read = readForm(rightSetInput, form);
  if (!read.ok) return refuseForm({ values, errors: read.errors });
  const rights = withIncluded(new Set(Object.keys(values)));
  if (!covers(viewer.rights, rights)) {
    return refuseForm({ values, message: rightSetMessages.notYours }, 403);
  }
  const refused = await confirmStaff(context, viewer, typedValues(form));
  if (refused) return refused;
  const fields = { actor: viewer.id, name: read.value.name, rights };
  const saved =
    id === null
      ? await createRightSet(db, fields)
      : await updateRightSet(db, { ...fields, id, version: Number(values['version']) });
  if (saved.ok) log.info({ event: 'role-set-saved', set: saved.id, by: viewer.id }, 'role saved');
  const { created, updated, changedMeanwhile } = rightSetMessages;
  const nameError = (reason: 'not-allowed' | 'name-taken') => ({
    name: describeRightSetRefusal(reason),
  });
  return answerSave(context, saved, {
    values,
    backTo: list,
    words: {
      done: id === null ? created : updated,
      changedMeanwhile,
      goneWhileEdited: describeRightSetRefusal('not-found'),
    },
    textsOf: ({ name, rights: theirs }) => ({
      name,
      ...Object.fromEntries(
        staffRights.map((right) => [right, theirs.includes(right) ? 'on' : '']),
      ),
    }),
    errors: { 'not-allowed': nameError('not-allowed'), 'name-taken': nameError('name-taken') },
  });
}

export const meta = titled('Role', 'New role');

export default function EditRolePage({ loaderData, actionData }: Route.ComponentProps) {
  return <RoleDialog read={loaderData} outcome={actionData} />;
}
