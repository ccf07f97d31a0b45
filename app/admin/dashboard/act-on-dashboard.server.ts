import type { RouterContextProvider } from 'react-router';
import { removeDemoData, seedSampleData } from '#app/features/desk/demo-data.server.ts';
import { deskMessages } from '#app/features/desk/desk-messages.ts';
import { changeSetting } from '#app/features/site-settings/change-settings.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { redirectSaying } from '#app/admin/frame/flash.server.ts';

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
      return redirectSaying(context, here, deskMessages.seedFailed(result.message), {
        kind: 'error',
      });
    }
    return redirectSaying(context, here, result.added ? deskMessages.seeded : result.message);
  }
  if (intent === 'remove-demo') {
    const deals = await removeDemoData(services, actor);
    return redirectSaying(context, here, deskMessages.demoRemoved(deals));
  }
  if (intent === 'dismiss-checklist') {
    await changeSetting(services.db, 'checklistDismissed', true, actor);
    return redirectSaying(context, here, 'The checklist is put away.');
  }
  return null;
}
