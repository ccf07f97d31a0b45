import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import type { Route } from './+types/manage-newsletters-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  countNewsletters,
  listNewsletters,
  type NewsletterRow,
} from '#app/features/newsletter/managed-newsletter-queries.server.ts';
import {
  type NewsletterSort,
  newslettersTable,
} from '#app/features/newsletter/newsletters-table.ts';
import { newsletterAdminMessages } from '#app/features/newsletter/newsletter-admin-messages.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { fullTime, shortTime } from '#app/platform/time-words.ts';
import { Link } from '#app/ui/link.tsx';
import type { Column } from '../frame/data-table.tsx';
import { ListScreen } from '../frame/list-screen.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { optionsOf } from '../frame/options-of.ts';
import { readList } from '../frame/read-list.server.ts';
import type { RowAct } from '../frame/row-acts.tsx';
import { RowName } from '../frame/row-name.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import { titled } from '../frame/titled.ts';
import { actOnNewsletter } from './act-on-newsletter.server.ts';
import { newsletterStateLabels, newsletterStateStyles } from './newsletter-states.ts';
import styles from './newsletters.module.css';

const title = 'Newsletters';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  return readList(request, context, {
    spec: newslettersTable,
    what: 'newsletters',
    page: listNewsletters,
    figures: async (db) => {
      const [counts, settings] = await Promise.all([countNewsletters(db), readSiteSettings(db)]);
      return { ...counts, hasAddress: settings.postalAddress !== '' };
    },
  });
}

/** Duplicates a newsletter, deletes a draft, and undoes the deletion. */
export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'newsletter.manage');
  return actOnNewsletter(request, context, null);
}

export const meta = titled(title);

const viewOf = (state: string) => `${newslettersTable.path}?state=${state}`;

export default function ManageNewslettersPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title={title} failure={loaderData} />;
  const { active, drafts, scheduled, underWay, sent, hasAddress } = loaderData.figures;
  return (
    <ListScreen
      title={title}
      about={
        hasAddress ? (
          <>
            Emails to your subscribers, in addition to the weekly digest.{' '}
            <Link to="/admin/newsletters/lists">Lists</Link>
          </>
        ) : (
          <>
            You cannot send yet. Newsletters must include a{' '}
            <Link to="/admin/settings?section=newsletter">postal address</Link>.
          </>
        )
      }
      spec={newslettersTable}
      list={loaderData}
      noun={{ one: 'newsletter', many: 'newsletters' }}
      nameOf={({ subject }) => subject}
      begin={{
        to: '/admin/newsletters/new',
        label: 'New Newsletter',
        labelWhenEmpty: 'Write your first newsletter',
      }}
      stats={[
        { label: 'Subscribers', value: active, href: '/admin/subscriptions?status=active' },
        { label: 'Drafts', value: drafts, href: viewOf('draft') },
        { label: 'Scheduled', value: scheduled, href: viewOf('scheduled') },
        ...(underWay > 0 ? [{ label: 'Sending', value: underWay, href: viewOf('sending') }] : []),
        { label: 'Sent', value: sent, href: viewOf('sent') },
      ]}
      searchLabel="Search by subject"
      filters={[{ name: 'state', label: 'State', options: optionsOf(newsletterStateLabels) }]}
      columns={columns}
      actsOf={actsOf}
      empty={{
        icon: 'mail',
        title: 'No newsletters found',
        titleWhenNew: 'No newsletters yet',
        hint: 'Write to your subscribers and include deals. You preview the email before sending it.',
      }}
    />
  );
}

const columns: Column<NewsletterRow, NewsletterSort>[] = [
  {
    label: 'Subject',
    sort: 'subject',
    cell: ({ id, subject, preview }) => (
      <RowName href={`/admin/newsletters/${id}`} name={subject} note={preview} />
    ),
  },
  {
    label: 'State',
    cell: ({ state }) => (
      <StatusPill variant={newsletterStateStyles[state]}>{newsletterStateLabels[state]}</StatusPill>
    ),
  },
  { label: 'Readers', cell: (row) => <Readers row={row} /> },
  { label: 'When', sort: 'changed', cell: (row) => <When row={row} /> },
];

function Readers({ row: { recipients, figures } }: { row: NewsletterRow }) {
  if (recipients === null) return '-';
  return (
    <span>
      {figures.sent.toLocaleString('en-US')} of {recipients.toLocaleString('en-US')} sent
      {figures.failed > 0 ? (
        <span className={styles.failed}>{countNoun(figures.failed, 'failed', 'failed')}</span>
      ) : null}
    </span>
  );
}

function When({ row: { state, send_at, started_at, updated_at } }: { row: NewsletterRow }) {
  const { timeZone } = useSite();
  const at = started_at ?? send_at ?? updated_at;
  return (
    <time dateTime={at.toISOString()} title={fullTime(at, timeZone)}>
      {state === 'draft' ? 'saved ' : ''}
      {shortTime(at, timeZone)}
    </time>
  );
}

function actsOf({ id, subject, state }: NewsletterRow): (RowAct | null)[] {
  const ask = {
    question: newsletterAdminMessages.confirmDelete,
    detail: <DeletionDetail name={subject} />,
  };
  const canEdit = state === 'draft' || state === 'scheduled' || state === 'paused';
  return [
    { label: 'Open', to: `/admin/newsletters/${id}` },
    canEdit ? { label: 'Edit', to: `/admin/newsletters/${id}/edit`, isEdit: true } : null,
    { label: 'Duplicate', intent: 'copy' },
    state === 'draft' ? { label: 'Delete', intent: 'delete', ask } : null,
  ];
}
