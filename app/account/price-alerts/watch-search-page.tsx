import { data, Form, redirect } from 'react-router';
import type { Route } from './+types/watch-search-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { readWatchable } from '#app/features/watched-searches/read-watchable.server.ts';
import {
  cadenceLabels,
  cadences,
  isCadence,
} from '#app/features/watched-searches/watch-cadence.ts';
import { watchMessages } from '#app/features/watched-searches/watch-messages.ts';
import {
  listWatchedSearches,
  saveWatchedSearch,
} from '#app/features/watched-searches/watched-search-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { FieldFrame } from '#app/ui/field-frame.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { SelectOptions } from '#app/ui/select-field.tsx';
import type { Db } from '#database/connect.ts';
import styles from './price-alerts-page.module.css';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const user = currentUser(context);
  if (!user) throw redirect(signInFor(request));
  const read = await readAsked(db, request);
  if (!read.ok) return data({ search: null, refusal: read.message, isVerified: true }, 422);
  const { address, name } = read.watchable;
  const own = await listWatchedSearches(db, { userId: user.id });
  const present = own.find((search) => search.address === address) ?? null;
  const search = { address, name, cadence: present?.cadence ?? 'daily', isWatched: !!present };
  return data({ search, refusal: null, isVerified: user.emailVerified });
}

/** `cadence`: how often we may write about the list that the address names. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, db, text } = await readPost(context, request);
  const user = currentUser(context);
  if (!user) throw redirect(signInFor(request));
  const refuse = (error: string, status: number, headers = {}) =>
    data({ error }, { status, headers });
  const admitted = await limit(services, 'member-write', user.id);
  if (!admitted.ok) return refuse(tooManyAttempts, 429, retryAfter(admitted));
  const cadence = text('cadence');
  if (!isCadence(cadence)) return refuse(watchMessages.badCadence, 422);
  const read = await readAsked(db, request);
  if (!read.ok) return refuse(read.message, 422);
  const saved = await saveWatchedSearch(db, { userId: user.id }, read.watchable, cadence);
  if (saved === 'too-many') return refuse(watchMessages.tooMany, 409);
  throw redirect('/price-alerts?watched', 303);
}

export const headers = keepRetryAfter;

async function readAsked(db: Db, request: Request) {
  const { currency } = await readSiteSettings(db);
  return readWatchable(db, new URL(request.url).searchParams.get('of') ?? '', currency);
}

function signInFor(request: Request): string {
  const { pathname, search } = new URL(request.url);
  const here = `${pathname.replace(/\.data$/, '')}${search}`;
  return `/sign-in?returnTo=${encodeURIComponent(here)}`;
}

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `Watch a Search | ${name}` }, { name: 'robots', content: 'noindex' }];
}

export default function WatchSearchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { search, refusal, isVerified } = loaderData;
  if (!search) {
    return (
      <MessagePanel
        icon="search"
        title="Nothing to watch"
        level={1}
        actions={<ButtonLink to="/deals">See all deals</ButtonLink>}
      >
        <p>{refusal}</p>
      </MessagePanel>
    );
  }
  return (
    <>
      <PageHeading title="Watch a Search">
        We mail you the deals that are new in it, and those that a new price brings into it.
      </PageHeading>
      <Form method="post" className={`${forms.stack} ${styles.narrow}`}>
        <p>
          <strong>{search.name}</strong>
        </p>
        <FieldFrame label="Write to me">
          {(tie) => (
            <select {...tie} name="cadence" defaultValue={search.cadence}>
              <SelectOptions
                options={cadences.map((value) => ({ value, label: cadenceLabels[value] }))}
              />
            </select>
          )}
        </FieldFrame>
        <p className={styles.muted}>
          At most one mail an hour for a search, and ten a day with your price alerts. Each has a
          link that stops it.
        </p>
        <FormNotice
          text={actionData?.error ?? (isVerified ? undefined : watchMessages.unproved)}
          kind="error"
        />
        <div className={forms.actions}>
          <ButtonLink to={search.address}>Back to the list</ButtonLink>
          <Button type="submit" look="primary">
            {search.isWatched ? 'Save Changes' : 'Watch'}
          </Button>
        </div>
      </Form>
    </>
  );
}
