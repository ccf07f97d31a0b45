import { data, redirect } from 'react-router';
import type { Route } from './+types/watch-search-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { hasAlertChannel } from '#app/features/alert-channels/alert-channel-queries.server.ts';
import { readGoesTo } from '#app/features/price-alerts/goes-to.ts';
import { alertListPath } from '#app/features/price-alerts/watch-link.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { readWatchable } from '#app/features/watched-searches/read-watchable.server.ts';
import {
  findWatchedOffers,
  readProductForm,
} from '#app/features/watched-searches/product-wish.server.ts';
import { isCadence } from '#app/features/watched-searches/watch-cadence.ts';
import { isOfProduct } from '#app/features/watched-searches/watchable.ts';
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
import { readText } from '#app/platform/read-text.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import type { Db } from '#database/connect.ts';
import { overList } from './alert-notices.ts';
import { answerGuest, emailOf } from './answer-guest.server.ts';
import { CadenceField } from './cadence-field.tsx';
import type { GuestWatchAnswer, GuestWatchForm } from './guest-watch-form.tsx';
import { GoesToField } from './goes-to-field.tsx';
import { ProductWatchFields } from './product-watch-fields.tsx';
import { readWatcher } from './read-watcher.server.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const signInPath = signInFor(request);
  const { currency } = await readSiteSettings(db);
  const read = await readShown(db, request, currency);
  if (!read.ok) return data({ search: null, refusal: read.message, signInPath }, 422);
  const { address, name, offers } = read;
  const watching = await readWatching(context, request);
  const present = await findPresent(db, watching, address);
  const search = {
    address,
    name,
    product: offers && {
      classes: offers.classes,
      condition: present?.offer_class ?? null,
      price: present?.max_price ?? null,
      currency,
    },
    cadence: present?.cadence ?? (offers ? 'at_once' : 'daily'),
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
  const read = await readAsked(db, request, form, watching);
  if (!read.ok) {
    return refuse({ message: read.message, email: emailOf(form), cadence, ...typedOf(form) }, 422);
  }
  if (watching) {
    const saved = await saveWatchedSearch(
      db,
      watching.owner,
      read.watchable,
      cadence,
      readGoesTo(form.get('goes_to')),
    );
    if (saved === 'too-many') return refuse({ message: watchMessages.tooMany }, 409);
    const word = read.watchable.product_id === null ? 'watched' : 'watched-product';
    throw redirect(overList(watching.listPath, word), 303);
  }
  const sent = { form, address: requestFacts(context).address };
  const wish = { watchable: read.watchable, cadence };
  return answerGuest(services, sent, wish, { cadence, ...typedOf(form) });
}

/** Returns the fields of a product's form, so that the visitor need not retype them. */
function typedOf(form: FormData) {
  return { price: readText(form, 'price').slice(0, 40), condition: readText(form, 'condition') };
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

const addressOf = (request: Request) => new URL(request.url).searchParams.get('of') ?? '';

/** Returns the list or the product that the page offers to watch. */
async function readShown(db: Db, request: Request, currency: string) {
  const of = addressOf(request);
  if (isOfProduct(of)) {
    const offers = await findWatchedOffers(db, of);
    if (!offers) return { ok: false, message: watchMessages.unwatchable } as const;
    return { ok: true, address: `/products/${offers.slug}`, name: offers.title, offers } as const;
  }
  const read = await readWatchable(db, of, currency);
  if (!read.ok) return read;
  const { address, name } = read.watchable;
  return { ok: true, address, name, offers: null } as const;
}

type Watching = Awaited<ReturnType<typeof readWatching>>;

async function readAsked(db: Db, request: Request, form: FormData, watching: Watching) {
  const { currency } = await readSiteSettings(db);
  const of = addressOf(request);
  if (!isOfProduct(of)) return readWatchable(db, of, currency);
  const present = await findPresent(db, watching, of);
  return readProductForm(db, of, { form, currency, present: present?.max_price ?? null });
}

/** Returns what the owner already watches at this URL. */
async function findPresent(db: Db, watching: Watching, address: string) {
  const own = watching ? await listWatchedSearches(db, watching.owner) : [];
  return own.find((search) => search.address === address) ?? null;
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
  const { product } = search;
  return (
    <NarrowPage
      title={product ? 'Watch at Any Store' : 'Watch a Search'}
      intro={
        product
          ? 'We’ll email you once the price falls to yours at any store, and again if it falls further.'
          : 'We’ll email you new deals that match, and deals that match because their price changed.'
      }
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
          {product ? <ProductWatchFields {...product} /> : null}
          <CadenceField cadence={search.cadence} />
          {search.goesTo === null ? null : <GoesToField goesTo={search.goesTo} />}
          <p className="small">
            You get at most one email an hour per {product ? 'product' : 'search'}, and ten a day
            including price alerts. Each email has a link to stop them. Browsers with notifications
            on are notified too.
          </p>
          <FormNotice
            text={actionData?.message ?? (isProved ? undefined : watchMessages.unproved)}
            kind="error"
          />
          <div className={forms.actions}>
            <Button type="submit" variant="primary">
              {search.isWatched ? 'Save Changes' : 'Watch'}
            </Button>
            <ButtonLink to={search.address}>
              {product ? 'Back to the product' : 'Back to the list'}
            </ButtonLink>
          </div>
        </form>
      )}
    </NarrowPage>
  );
}
