import type { Route } from './+types/providers-page';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { acceptForm } from '#app/features/accounts/answer-form.server.ts';
import { identityWays } from '#app/features/accounts/confirm-identity.server.ts';
import type { FormAnswer } from '#app/features/accounts/form-answer.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import {
  findProvider,
  providerNames,
  providerTitle,
} from '#app/features/accounts/providers/identity-providers.server.ts';
import { disconnectProvider } from '#app/features/accounts/remove-way-in.server.ts';
import { requireVerifiedUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { startAtProvider } from '#app/features/accounts/providers/sign-in-by-provider.server.ts';
import { findWaysIn } from '#app/features/accounts/ways-in-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { accountMeta, PanelForm, useMoments } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';
import { summariseWays } from './summarise-ways.server.ts';
import { WaysToSignIn } from './ways-to-sign-in.tsx';
import { leadToProvider } from './lead-to-provider.server.ts';
import { keepWayOn, WayOn } from './way-on.tsx';
import { WaysInList } from './ways-in-list.tsx';
import styles from './passkeys-page.module.css';

const path = '/profile/providers';

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = requireVerifiedUser(context, request);
  const services = appServices(context);
  const { db, env } = services;
  const { providers } = await findWaysIn(db, user.id);
  const linked = new Set(providers.map(({ id }) => id));
  const justConnected = new URL(request.url).searchParams.get('connected');
  return {
    linked: providers.map(({ id, since }) => ({ id, since, name: providerTitle(env, id) })),
    others: providerNames(env).filter(({ id }) => !linked.has(id)),
    isJustConnected: justConnected !== null && linked.has(justConnected),
    ways: await identityWays(services, user),
    summary: await summariseWays(services, user),
  };
}

/**
 * Connecting and disconnecting both require an identity check, so that an unlocked screen is not
 * enough.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const user = requireVerifiedUser(context, request);
  const post = await readAccountPost(context, request);
  const { services, text, intent, place } = post;
  const id = text('provider');
  const provider = findProvider(services.env, id);
  if (intent !== 'disconnect' && (intent !== 'connect' || !provider)) {
    return post.fail(400);
  }
  const refused = await post.refuseStranger(user);
  if (refused) return refused;
  if (intent === 'connect' && provider) {
    const { address } = place;
    const returnTo = `${path}?connected=${provider.id}`;
    const errand = { userId: user.id, act: 'connect' } as const;
    return leadToProvider(await startAtProvider(services, provider, { returnTo, address, errand }));
  }
  const removed = await disconnectProvider(services, user, id);
  if (removed.ok) return acceptForm(accountMessages.providerRemoved);
  return removed.reason === 'last-way'
    ? post.refuse({ message: accountMessages.lastWayIn }, 409)
    : post.fail(404);
}

export const headers = keepWayOn;

export const meta = accountMeta('Sign-in providers');

export default function ProvidersPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer = actionData as (Partial<FormAnswer> & { url?: string | null }) | undefined;
  const { linked, others, ways, isJustConnected, summary } = loaderData;
  const momentOf = useMoments();
  const words =
    answer?.message ??
    answer?.errors?.['password'] ??
    (isJustConnected && !answer ? accountMessages.providerConnected : undefined);
  return (
    <WaysToSignIn current="providers" summary={summary}>
      {answer?.url ? (
        <WayOn url={answer.url} />
      ) : (
        <>
          <p>Accounts elsewhere that can sign you in here without your password.</p>
          <FormNotice text={words} kind={answer && !answer.ok ? 'error' : 'success'} />
          {linked.length === 0 ? (
            <p>Your account is not connected to another account yet.</p>
          ) : (
            <WaysInList
              items={linked.map(({ id, name, since }) => ({
                id,
                name,
                note: `connected ${momentOf(since)}`,
                fields: { intent: 'disconnect', provider: id },
              }))}
              verb="Disconnect"
              ways={ways}
              action={path}
            />
          )}
          {others.map(({ id, name }) => (
            <section
              key={id}
              data-key={id}
              className={`stack gap-4 ${styles.section}`}
              aria-labelledby={`connect-${id}`}
            >
              <h3 id={`connect-${id}`}>{`Connect ${name}`}</h3>
              {/* The browser sends the form itself, since the response redirects to another site. */}
              <PanelForm
                isDocument
                fields={{ intent: 'connect', provider: id }}
                submitLabel={`Connect ${name}`}
              >
                <IdentityField ways={ways} />
              </PanelForm>
            </section>
          ))}
        </>
      )}
    </WaysToSignIn>
  );
}
