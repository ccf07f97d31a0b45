import type { RouterContextProvider } from 'react-router';
import { removeDemoData, seedSampleData } from '#app/features/desk/demo-data.server.ts';
import { deskMessages } from '#app/features/desk/desk-messages.ts';
import { changeSetting } from '#app/features/site-settings/change-settings.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';

type Context = Readonly<Pick<RouterContextProvider, 'get'>>;

const here = '/admin';

/** What the dashboard's buttons do; null for one it does not have. */
export async function actOnDashboard(
  context: Context,
  actor: string,
  intent: string,
): Promise<Response | null> {
  const services = appServices(context);
  if (intent === 'seed') {
    const result = await seedSampleData(services, actor);
    if (!result.ok) {
      return redirectWithFlash(context, here, deskMessages.seedFailed(result.message), {
        kind: 'error',
      });
    }
    return redirectWithFlash(context, here, result.added ? deskMessages.seeded : result.message);
  }
  if (intent === 'remove-demo') {
    const deals = await removeDemoData(services, actor);
    return redirectWithFlash(context, here, deskMessages.demoRemoved(deals));
  }
  if (intent === 'dismiss-checklist') {
    await changeSetting(services.db, 'checklistDismissed', true, actor);
    return redirectWithFlash(context, here, 'The checklist is hidden.');
  }
  return null;
}
