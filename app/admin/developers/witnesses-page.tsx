import { Form } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { type RowAct, RowActs } from '#app/admin/frame/row-acts.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { describeWitness } from '#app/features/evidence/describe-witness.ts';
import {
  type EvidenceSite,
  listEvidenceSites,
  readNewestDay,
} from '#app/features/evidence/evidence-site-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/witnesses-page';
import { actOnWitnesses } from './act-on-witnesses.server.ts';
import styles from './developers.module.css';

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'api.manage');
  const { db, now } = appServices(context);
  return readOrFail(context, 'witnesses', async () => ({
    sites: await listEvidenceSites(db),
    newest: await readNewestDay(db),
    now: now(),
  }));
}

export async function action({ request, context }: Route.ActionArgs) {
  const { id } = requireRight(context, 'api.manage');
  return actOnWitnesses(await readPost(context, request), id);
}

export const meta = () => [{ title: 'Witnesses' }];

const lists = [
  {
    role: 'witness',
    title: 'Sites that witness us',
    about:
      'Each countersigns our sealed days every night, once its owner adds our address under “Sites that we witness”.',
    empty: 'Ask the owner of another Deal Hub site.',
  },
  {
    role: 'witnessed',
    title: 'Sites that we witness',
    about: 'We keep and countersign their sealed days, and publish every day that a site rewrites.',
    empty: 'Add the address of a Deal Hub site.',
  },
] as const;

export default function WitnessesPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Witnesses" failure={loaderData} />;
  const { sites, newest, now } = loaderData;
  return (
    <div className={`column gap-8 ${styles.page}`}>
      <AdminHeading title="Witnesses">
        A witness keeps and countersigns the sealed price log of another site, which proves that no
        day was rewritten. See <a href="/evidence">what visitors read</a>.
      </AdminHeading>
      {lists.map(({ role, title, about, empty }) => (
        <section key={role} className={`column gap-4 ${styles.part}`} aria-labelledby={role}>
          <h2 id={role}>{title}</h2>
          <p>{about}</p>
          <Form method="post" className={`${forms.stack} ${styles.form}`} noValidate>
            <input type="hidden" name="role" value={role} />
            <TextField
              name="address"
              type="url"
              label="Address"
              required
              autoComplete="off"
              placeholder="https://deals.example"
              defaultValue={actionData?.values.role === role ? actionData.values.address : ''}
              error={actionData?.values.role === role ? actionData.errors['address'] : undefined}
            />
            <Button type="submit" variant="primary" name="intent" value="add">
              Add site
            </Button>
          </Form>
          <PlainTable
            noun={{ one: 'site', many: 'sites' }}
            page={sites.filter((site) => site.role === role)}
            columns={columnsOf(role, now, newest)}
            idOf={({ id }) => id}
            nameOf={({ address }) => address}
            renderMenu={(site) => <RowActs id={site.id} name={site.address} acts={actsOn(site)} />}
            empty={
              <MessagePanel icon="shield" title="No sites yet" level={3}>
                <p>{empty}</p>
              </MessagePanel>
            }
          />
        </section>
      ))}
    </div>
  );
}

const keyColumn: PlainColumn<EvidenceSite> = {
  label: 'Key',
  cell: ({ key }) =>
    key === null ? (
      '–'
    ) : (
      <code title={key} className="nowrap">
        {key.slice(0, 8)}…
      </code>
    ),
};

function columnsOf(
  role: EvidenceSite['role'],
  now: Date,
  newest: string | null,
): PlainColumn<EvidenceSite>[] {
  return [
    { label: 'Address', cell: ({ address }) => <span className="anywhere">{address}</span> },
    {
      label: 'State',
      cell: (site) => {
        const { label, variant } = describeWitness(site, newest);
        return <StatusPill variant={variant}>{label}</StatusPill>;
      },
    },
    {
      label: 'Last day',
      cell: ({ through }) => <span className="nowrap">{through ?? '–'}</span>,
    },
    { label: 'Last fetched', cell: ({ fetchedAt }) => <RelativeTime at={fetchedAt} now={now} /> },
    { label: 'Problem', cell: ({ problem }) => problem ?? '–' },
    ...(role === 'witness' ? [keyColumn] : []),
  ];
}

function actsOn({ address, conflictDay }: EvidenceSite): (RowAct | null)[] {
  return [
    { label: 'Fetch now', intent: 'fetch' },
    conflictDay === null
      ? null
      : {
          label: 'Accept the new days',
          intent: 'accept',
          ask: {
            question: `Accept the days of ${address} from ${conflictDay}?`,
            detail: (
              <p>
                Both versions of {conflictDay} stay published. We then countersign the new days.
              </p>
            ),
            confirmLabel: 'Accept',
          },
        },
    { label: 'Remove', intent: 'remove' },
  ];
}
