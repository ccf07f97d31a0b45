import { data, isRouteErrorResponse, Outlet, useRouteLoaderData } from 'react-router';
import { isAccessRefusal } from '#app/features/accounts/access-refusal.ts';
import { AccessRefusalScreen } from '#app/features/accounts/access-refusal-screen.tsx';
import { limitStaffWrites } from '#app/features/accounts/limit-staff-writes.server.ts';
import { RefusedScreen } from '#app/features/accounts/refused-screen.tsx';
import { rights } from '#app/features/accounts/policy.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { staffGuard } from '#app/features/accounts/staff-guard.server.ts';
import { hasDemoData } from '#app/features/desk/desk-queries.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
// The import preloads the script in parallel with the page.
import '#app/islands/hydrate-page.tsx';
import { RouterLinks } from '#app/islands/router-links.tsx';
import { ErrorScreen } from '#app/ui/error-screen.tsx';
import type { Route } from './+types/admin-layout';
import { AdminFrame } from './frame/admin-frame.tsx';
import { screensFor } from './frame/admin-nav.ts';
import { takeFlash } from './frame/flash.server.ts';
import { MissingScreen } from './frame/missing-screen.tsx';

/** Sets Retry-After to five seconds if the database was too slow, as on the rest of the site. */
const sendRetryAfter: Route.MiddlewareFunction = async (_args, next) => {
  const response = await next();
  if (response.status === 503) response.headers.set('retry-after', '5');
  return response;
};

/** Middleware of everything below the layout: pages, data requests and posts. */
export const middleware: Route.MiddlewareFunction[] = [
  staffGuard,
  sendRetryAfter,
  ...limitStaffWrites,
];

/**
 * Middleware runs only for routes that load data. Without this loader, client navigation to a page
 * without a loader would bypass the guard.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireRight(context, 'admin.open');
  const { fullName, email } = user;
  const taken = takeFlash(request, context);
  const isDemo = user.rights.has('settings.write') && (await showsDemoBar(context));
  return data(
    {
      staff: {
        fullName,
        email,
        screens: screensFor(user),
        rights: rights.filter((right) => user.rights.has(right)),
      },
      flash: taken?.flash ?? null,
      isDemo,
    },
    taken ? { headers: { 'set-cookie': taken.forget } } : undefined,
  );
}

/** Returns whether demo data exists. An error hides the demo bar instead of failing the page. */
async function showsDemoBar(context: Route.LoaderArgs['context']): Promise<boolean> {
  const { db, log } = appServices(context);
  try {
    return await hasDemoData(db);
  } catch (error) {
    log.error({ err: error, requestId: requestFacts(context).id }, 'looking for demo data failed');
    return false;
  }
}

/** Passes the layout's cookie to the browser, whichever page below it is shown. */
export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

const ownPaths = /^\/admin(\/|$)/;

export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  return (
    <AdminFrame {...loaderData}>
      <RouterLinks to={ownPaths} />
      <Outlet />
    </AdminFrame>
  );
}

/**
 * Shows an error or a refused screen inside the layout. Staff may see the error's own
 * message.
 */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const root = useRouteLoaderData<{ requestId: string | null }>('root');
  const isRefused = isRouteErrorResponse(error) && isAccessRefusal(error);
  // Users who may not enter the admin see no sidebar.
  if (isRefused && (!loaderData || error.data.refused !== 'role')) {
    return <RefusedScreen error={error} otherwise={null} />;
  }
  return (
    <AdminFrame staff={loaderData?.staff ?? null} flash={null} isDemo={false}>
      {isRefused ? (
        <AccessRefusalScreen {...error.data} isStaff />
      ) : isRouteErrorResponse(error) && error.status === 404 ? (
        <MissingScreen title={error.data?.missing} />
      ) : (
        <>
          <title>Something went wrong</title>
          <ErrorScreen
            message={error instanceof Error && import.meta.env.DEV ? error.message : null}
            requestId={root?.requestId ?? null}
          />
        </>
      )}
    </AdminFrame>
  );
}
