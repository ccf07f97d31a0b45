import { data, redirect } from 'react-router';
import type { Route } from './+types/provider-callback-page';
import { providerRefusals } from '#app/features/accounts/account-messages.ts';
import { cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import { findProvider } from '#app/features/accounts/providers/identity-providers.server.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { sessionPlace } from '#app/features/accounts/sessions/session-place.server.ts';
import { finishAtProvider } from '#app/features/accounts/providers/sign-in-by-provider.server.ts';
import { saveWishes } from '#app/features/follows/wished-follow.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, PanelLink } from './account-panel.tsx';

/**
 * Handles the provider's redirect by GET, as the protocol requires. The state parameter prevents
 * forgery, as the origin check does for forms.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const services = appServices(context);
  const provider = findProvider(services.env, params.provider);
  if (!provider) throw data(null, { status: 404 });
  if (request.method !== 'GET') throw data(null, { status: 405 });
  const { name } = provider;
  const { place, oldToken } = sessionPlace(context, request);
  const viewer = currentUser(context);
  const result = await finishAtProvider(services, provider, request, place, { oldToken, viewer });
  if (result.ok) {
    const path = result.needsCode
      ? `/sign-in/second-factor?returnTo=${encodeURIComponent(result.returnTo)}`
      : result.returnTo;
    const saved = result.needsCode ? [] : await saveWishes(services, request, result.userId);
    const cookies = cookieHeaders([...result.cookies, ...saved]);
    throw redirect(path, { status: 303, headers: cookies });
  }
  return result.reason === 'too-many'
    ? data({ name, message: tooManyAttempts }, { status: 429, headers: retryAfter(result) })
    : data({ name, message: providerRefusals[result.reason] }, { status: 403 });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  const wait = loaderHeaders.get('retry-after');
  return wait === null ? {} : { 'retry-after': wait };
}

export const meta = accountMeta('Sign In');

export default function ProviderCallbackPage({ loaderData }: Route.ComponentProps) {
  return (
    <NarrowPage title={`Sign in with ${loaderData.name}`}>
      <FormNotice text={loaderData.message} kind="error" />
      <PanelLink to="/sign-in">Back to Sign In</PanelLink>
    </NarrowPage>
  );
}
