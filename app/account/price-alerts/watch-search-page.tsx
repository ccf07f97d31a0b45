import { data, redirect } from 'react-router';
import type { Route } from './+types/watch-search-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { hasAlertChannel } from '#app/features/alert-channels/alert-channel-queries.server.ts';
import { readGoesTo } from '#app/features/price-alerts/goes-to.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { alertListPath } from '#app/features/price-alerts/watch-link.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { askToWatch } from '#app/features/watched-searches/ask-to-watch.server.ts';
import { readWatchable } from '#app/features/watched-searches/read-watchable.server.ts';
import { isCadence } from '#app/features/watched-searches/watch-cadence.ts';
import { watchMessages } from '#app/features/watched-searches/watch-messages.ts';
import {
  listWatchedSearches,
  saveWatchedSearch,
} from '#app/features/watched-searches/watched-search-queries.server.ts';
import { Island } from '#app/islands/island.tsx';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import type { Db } from '#database/connect.ts';
import { overList } from './alert-notices.ts';
import { CadenceField } from './cadence-field.tsx';
import type { GuestWatchAnswer, GuestWatchForm } from './guest-watch-form.tsx';
import { GoesToField } from './goes-to-field.tsx';
import { readWatcher } from './read-watcher.server.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const signInPath = signInFor(request);
  const read = await readAsked(db, request);
  if (!read.ok) return data({ search: null, refusal: read.message, signInPath }, 422);
  const { address, name } = read.watchable;
  const watching = await readWatching(context, request);
  const own = watching ? await listWatchedSearches(db, watching.owner) : [];
  const present = own.find((search) => search.address === address) ?? null;
  const search = {
    address,
    name,
    cadence: present?.cadence ?? 'daily',
    goesTo: watching?.hasChannel ? (present?.goes_to ?? ('both' as const)) : null,
    isWatched: present !== null,
  };
  const isProved = watching?.isProved ?? null;
  return data({ search, refusal: null, isProved, signInPath });
}

/**
 * `cadence` is how often to email about the list in the URL. Signed-out visitors must enter an
 * email address.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, db, form, text } = await readPost(context, request);
  const watching = await readWatching(context, request);
  if (!watching && !form.has('email')) throw redirect(signInFor(request));
  const refuse = (answer: Omit<GuestWatchAnswer, 'ok'>, status: number, headers = {}) =>
    data<GuestWatchAnswer>({ ok: false, ...answer }, { status, headers });
  if (watching) {
    const admitted = await limit(services, 'member-write', watching.name);
    if (!admitted.ok) return refuse({ message: tooManyAttempts }, 429, retryAfter(admitted));
  }
  const cadence = text('cadence');
  if (!isCadence(cadence)) return refuse({ message: watchMessages.badCadence }, 422);
  const read = await readAsked(db, request);
  if (!read.ok) return refuse({ message: read.message }, 422);
  if (watching) {
    const saved = await saveWatchedSearch(
      db,
      watching.owner,
      read.watchable,
      cadence,
      readGoesTo(form.get('goes_to')),
    );
    if (saved === 'too-many') return refuse({ message: watchMessages.tooMany }, 409);
    throw redirect(overList(watching.listPath, 'watched'), 303);
  }
  const sent = { form, address: requestFacts(context).address };
  const asked = await askToWatch(services, sent, read.watchable, cadence);
  if (asked.ok)
    return data<GuestWatchAnswer>({
      ok: true,
      message: alertMessages.asked,
      email: text('email').slice(0, 254),
    });
  const email = text('email').slice(0, 254);
  const { status, message } = asked;
  if (status === 429) return refuse({ message, email, cadence }, status, retryAfter(asked));
  return refuse({ message, email, cadence, question: asked.question ?? null }, status);
}

/**
 * Returns the owner of the list: the account, or the guest whose emailed link this is. `null` for
 * anyone else.
 */
async function readWatching(context: Route.LoaderArgs['context'], request: Request) {
  const { db } = appServices(context);
  const watcher = await readWatcher(db, request);
  if (watcher) {
    const owner = { watcherId: watcher.id };
    const listPath = await alertListPath(db, watcher.id);
    return { owner, listPath, name: `watcher ${watcher.id}`, isProved: true, hasChannel: false };
  }
  const user = currentUser(context);
  if (!user) return null;
  const owner = { userId: user.id };
  const hasChannel = await hasAlertChannel(db, user.id);
  return {
    owner,
    listPath: '/price-alerts',
    name: user.id,
    isProved: user.emailVerified,
    hasChannel,
  };
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
  const { search, refusal, signInPath } = loaderData;
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
  const { isProved } = loaderData;
  return (
    <NarrowPage
      title="Watch a Search"
      intro="We’ll email you new deals that match, and deals that match because their price changed."
    >
      {isProved === null ? (
        <Island<typeof GuestWatchForm>
          name="guest-watch-form"
          props={{ search, signInPath, answer: actionData }}
        />
      ) : (
        <form method="post" data-in-place="" className={forms.stack}>
          <p>
            <strong>{search.name}</strong>
          </p>
          <CadenceField cadence={search.cadence} />
          {search.goesTo === null ? null : <GoesToField goesTo={search.goesTo} />}
          <p className="small">
            You get at most one email an hour per search, and ten a day including price alerts. Each
            email has a link to stop them. Browsers with notifications on are notified too.
          </p>
          <FormNotice
            text={actionData?.message ?? (isProved ? undefined : watchMessages.unproved)}
            kind="error"
          />
          <div className={forms.actions}>
            <Button type="submit" variant="primary">
              {search.isWatched ? 'Save Changes' : 'Watch'}
            </Button>
            <ButtonLink to={search.address}>Back to the list</ButtonLink>
          </div>
        </form>
      )}
    </NarrowPage>
  );
}
