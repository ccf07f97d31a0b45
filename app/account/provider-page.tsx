import { data } from 'react-router';
import type { Route } from './+types/provider-page';
import { findProvider } from '#app/features/accounts/providers/identity-providers.server.ts';
import { safeReturnPath } from '#app/features/accounts/sessions/safe-return-path.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { startAtProvider } from '#app/features/accounts/providers/sign-in-by-provider.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, PanelLink } from './account-panel.tsx';
import { leadToProvider } from './lead-to-provider.server.ts';
import { keepWayOn, WayOn } from './way-on.tsx';

export function loader({ context, params }: Route.LoaderArgs) {
  const provider = findProvider(appServices(context).env, params.provider);
  if (!provider) throw data(null, { status: 404 });
  return { name: provider.name };
}

/** Returns a page that redirects, since `form-action` lets our forms post to this site only. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const services = appServices(context);
  const provider = findProvider(services.env, params.provider);
  if (!provider) throw data(null, { status: 404 });
  const returnTo = safeReturnPath(new URL(request.url).searchParams.get('returnTo'));
  const { address } = requestFacts(context);
  const viewer = currentUser(context);
  const started = await startAtProvider(services, provider, {
    returnTo,
    address,
    ...(viewer?.emailVerified && { errand: { userId: viewer.id, act: 'confirm' } }),
  });
  return leadToProvider(started);
}

export const headers = keepWayOn;

export const meta = accountMeta('Sign In');

export default function ProviderPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <NarrowPage title={`Sign in with ${loaderData.name}`}>
      {actionData?.url ? (
        <WayOn url={actionData.url} />
      ) : (
        <>
          <FormNotice text={actionData?.message ?? undefined} kind="error" />
          <form method="post">
            <Button type="submit" variant="primary" isWide>
              {`Continue with ${loaderData.name}`}
            </Button>
          </form>
          <PanelLink to="/sign-in">Back to Sign In</PanelLink>
        </>
      )}
    </NarrowPage>
  );
}
