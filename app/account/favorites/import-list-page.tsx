import { data, redirect } from 'react-router';
import type { Route } from './+types/import-list-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button, PrimaryLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { ListPreview } from './list-preview.tsx';
import { type ListImport, actOnList } from './act-on-list.server.ts';
import styles from './import-list-page.module.css';

const path = '/favorites/import';

export function loader({ context }: Route.LoaderArgs) {
  const user = currentUser(context);
  return data({ isVerified: user?.emailVerified ?? null }, { status: user ? 200 : 401 });
}

/** Previews a list of products, and adds them as favorites and alerts. The list is not stored. */
export async function action({ request, context }: Route.ActionArgs) {
  const user = currentUser(context);
  if (!user) throw redirect(`/sign-in?returnTo=${path}`);
  const services = appServices(context);
  const post = await readPost(context, request);
  const isPreview = post.intent === '';
  const admitted = await limit(services, isPreview ? 'list-preview' : 'member-write', user.id);
  if (!admitted.ok) {
    const refused: ListImport = {
      state: 'refused',
      message: tooManyAttempts,
      typed: post.text('list'),
    };
    return data(refused, { status: 429, headers: retryAfter(admitted) });
  }
  const list = await actOnList(post, user.id);
  return data(list, { status: list.state === 'refused' ? 422 : 200 });
}

export const headers = keepRetryAfter;

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `Import Your List | ${name}` }, { name: 'robots', content: 'noindex, follow' }];
}

const subtitle = 'Add products from another price tracker to your favorites and price alerts.';

export default function ImportListPage({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.isVerified === null) {
    return (
      <>
        <PageHeading title="Import Your List">{subtitle}</PageHeading>
        <MessagePanel
          icon="heart"
          title="Sign In Required"
          actions={<PrimaryLink to={`/sign-in?returnTo=${path}`}>Sign In</PrimaryLink>}
        >
          Please sign in to import your list.
        </MessagePanel>
      </>
    );
  }
  return (
    <>
      <PageHeading title="Import Your List">{subtitle}</PageHeading>
      {actionData?.state === 'planned' ? (
        <ListPreview plan={actionData.plan} />
      ) : actionData?.state === 'added' ? (
        <Added added={actionData.added} isVerified={loaderData.isVerified} />
      ) : (
        <ListForm outcome={actionData} />
      )}
    </>
  );
}

type Outcome = Extract<ListImport, { state: 'refused' | 'undone' }>;

function ListForm({ outcome }: { outcome: Outcome | undefined }) {
  const isRefused = outcome?.state === 'refused';
  const added = outcome?.state === 'undone' ? `Removed ${countAll(outcome.counts)}.` : undefined;
  return (
    <form
      method="post"
      action={path}
      encType="multipart/form-data"
      className={`${forms.stack} ${styles.form}`}
    >
      <FormNotice text={added} kind="success" />
      <FormNotice text={isRefused ? outcome.message : undefined} kind="error" />
      <label className="stack gap-tight strong">
        File
        <input
          type="file"
          name="file"
          accept=".csv,.tsv,.txt,.json,text/csv,text/plain,application/json"
        />
      </label>
      <TextAreaField
        label="Or paste your list"
        name="list"
        rows={8}
        spellCheck={false}
        defaultValue={isRefused ? outcome.typed : ''}
        placeholder="https://shop.example/desk-lamp 39.99"
        hint="One link per line, followed by the price you want to pay, or a table."
      />
      <p>
        We read lists of links, JSON, and tables (CSV) with a header, such as exports from
        CamelCamelCamel, Keepa and IsThereAnyDeal. Columns may be named link, ASIN, GTIN, title,
        desired price and currency. At most 2,000 lines or 1 MB.
      </p>
      <div className={forms.actions}>
        <Button type="submit" variant="primary">
          Preview
        </Button>
      </div>
      <p className="small">
        You can review everything before it is added. We don’t store your list or open its links.
      </p>
    </form>
  );
}

function countAll({ favorites, alerts }: { favorites: number; alerts: number }): string {
  return `${countNoun(favorites, 'favorite')} and ${countNoun(alerts, 'price alert')}`;
}

type AddedProps = Extract<ListImport, { state: 'added' }> & { isVerified: boolean };

function Added({ added, isVerified }: Omit<AddedProps, 'state'>) {
  const { favorites, alerts, fired } = added;
  const counts = { favorites: favorites.length, alerts: alerts.length };
  const isEmpty = counts.favorites + counts.alerts === 0;
  return (
    <div className="stack gap-5">
      <FormNotice
        kind="success"
        text={isEmpty ? 'You already had everything on this list.' : `Added ${countAll(counts)}.`}
      />
      {fired > 0 ? (
        <p>{`${countNoun(fired, 'alert')} fired right away, because the price already meets your target.`}</p>
      ) : null}
      {counts.alerts > 0 && !isVerified ? <p>{alertMessages.unproved}</p> : null}
      <div className={forms.actions}>
        <PrimaryLink to="/favorites">My Favorites</PrimaryLink>
        {isEmpty ? null : (
          <form method="post" action={path} data-in-place="">
            <HiddenFields
              fields={{
                intent: 'undo',
                favorites: favorites.join(','),
                alerts: alerts.join(','),
              }}
            />
            <Button type="submit">Undo</Button>
          </form>
        )}
      </div>
      <p className="row gap-5">
        <Link to="/price-alerts">Price alerts</Link>
        <Link to={path}>Import another list</Link>
      </p>
    </div>
  );
}
