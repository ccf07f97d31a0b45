import { Form, useNavigation } from 'react-router';
import type { Route } from './+types/providers-page';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import {
  acceptForm,
  refuseForm,
  refuseIdentity,
} from '#app/features/accounts/answer-form.server.ts';
import {
  confirmIdentity,
  identityWays,
  readProof,
} from '#app/features/accounts/confirm-identity.server.ts';
import type { FormAnswer } from '#app/features/accounts/form-answer.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import {
  findProvider,
  providerNames,
  providerTitle,
} from '#app/features/accounts/providers/identity-providers.server.ts';
import { disconnectProvider } from '#app/features/accounts/remove-way-in.server.ts';
import { requireProvedUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { startAtProvider } from '#app/features/accounts/providers/sign-in-by-provider.server.ts';
import { findWaysIn } from '#app/features/accounts/ways-in-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import forms from '#app/ui/form.module.css';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { accountMeta } from './account-meta.ts';
import { AccountPanel, PanelLink } from './account-panel.tsx';
import { keepWayOn } from './keep-way-on.ts';
import { leadToProvider } from './lead-to-provider.server.ts';
import { WayOn } from './way-on.tsx';
import styles from './passkeys-page.module.css';

const path = '/profile/providers';

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = requireProvedUser(context, request);
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
  };
}

/** Connecting and disconnecting ask again who sits there: an unlocked screen must not be enough (R50). */
export async function action({ context, request }: Route.ActionArgs) {
  const user = requireProvedUser(context, request);
  const services = appServices(context);
  const form = await readFormBody(request);
  const intent = readText(form, 'intent');
  const id = readText(form, 'provider');
  const provider = findProvider(services.env, id);
  if (intent !== 'disconnect' && (intent !== 'connect' || !provider)) {
    return refuseForm(form, { message: accountMessages.failed }, 400);
  }
  const confirmed = await confirmIdentity(services, user, readProof(form));
  if (!confirmed.ok) return refuseIdentity(form, confirmed);
  if (intent === 'connect' && provider) {
    const { address } = requestFacts(context);
    const returnTo = `${path}?connected=${provider.id}`;
    const errand = { userId: user.id, act: 'connect' } as const;
    return leadToProvider(await startAtProvider(services, provider, { returnTo, address, errand }));
  }
  const removed = await disconnectProvider(services, user, id);
  if (removed.ok) return acceptForm(accountMessages.providerRemoved);
  return removed.reason === 'last-way'
    ? refuseForm(form, { message: accountMessages.lastWayIn }, 409)
    : refuseForm(form, { message: accountMessages.failed }, 404);
}

export const headers = keepWayOn;

export const meta = accountMeta('Sign-in providers');

export default function ProvidersPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer: (Partial<FormAnswer> & { url?: string | null }) | undefined = actionData as
    | (Partial<FormAnswer> & { url?: string | null })
    | undefined;
  const { linked, others, ways, isJustConnected } = loaderData;
  const words =
    answer?.message ??
    answer?.errors?.['password'] ??
    (isJustConnected && !answer ? accountMessages.providerConnected : undefined);
  return (
    <AccountPanel title="Sign-in providers">
      {answer?.url ? (
        <WayOn url={answer.url} />
      ) : (
        <>
          <p>Other accounts of yours that open this one, without its password.</p>
          <FormNotice text={words} kind={answer && !answer.ok ? 'error' : 'success'} />
          <LinkedProviders linked={linked} ways={ways} />
          {others.map(({ id, name }) => (
            <section key={id} className={styles.section} aria-labelledby={`connect-${id}`}>
              <h2 id={`connect-${id}`}>{`Connect ${name}`}</h2>
              {/* Sent by the browser itself: its answer leads on to another site. */}
              <form method="post" className={forms.stack}>
                <input type="hidden" name="intent" value="connect" />
                <input type="hidden" name="provider" value={id} />
                <IdentityField ways={ways} />
                <Button type="submit">{`Connect ${name}`}</Button>
              </form>
            </section>
          ))}
          <PanelLink to="/profile">Back to the profile</PanelLink>
        </>
      )}
    </AccountPanel>
  );
}

function LinkedProviders({
  linked,
  ways,
}: Pick<Route.ComponentProps['loaderData'], 'linked' | 'ways'>) {
  const { timeZone } = useSite();
  const isBusy = useNavigation().state === 'submitting';
  if (linked.length === 0) return <p>Your account is connected to no other one yet.</p>;
  return (
    <ul className={styles.passkeys}>
      {linked.map(({ id, name, since }) => (
        <li key={id}>
          <p>
            <strong>{name}</strong>
            <br />
            <small>
              connected{' '}
              {since.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone })}
            </small>
          </p>
          <details className={styles.section}>
            <summary>Disconnect {name}</summary>
            <Form method="post" action={path} className={forms.stack}>
              <input type="hidden" name="intent" value="disconnect" />
              <input type="hidden" name="provider" value={id} />
              <IdentityField ways={ways} />
              <Button type="submit" look="danger" isBusy={isBusy}>
                Disconnect
              </Button>
            </Form>
          </details>
        </li>
      ))}
    </ul>
  );
}
