import type { ActionFunctionArgs } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  copyNewsletter,
  deleteNewsletter,
  restoreNewsletter,
} from '#app/features/newsletter/change-newsletter.server.ts';
import { newsletterAdminMessages as words } from '#app/features/newsletter/newsletter-admin-messages.ts';
import {
  pauseNewsletter,
  testNewsletter,
  unscheduleNewsletter,
} from '#app/features/newsletter/send-newsletter.server.ts';
import { changeSetting } from '#app/features/site-settings/change-settings.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { listAddress, redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';

const longestAddress = 300;

/**
 * Handles the buttons of the list (`ofPage`: null) and of a newsletter's own page, except sending.
 */
export async function actOnNewsletter(
  request: ActionFunctionArgs['request'],
  context: ActionFunctionArgs['context'],
  ofPage: number | null,
) {
  const user = requireRight(context, 'newsletter.manage');
  const post = await readPost(context, request);
  const { services, db, text, rowId, intent } = post;
  const id = ofPage ?? rowId('id') ?? 0;
  const actor = user.id;
  const here = listAddress(request);
  const say = (said: string) => redirectWithFlash(context, here, said);
  const fail = (said: string) => redirectWithError(context, here, said);
  switch (intent) {
    case 'copy': {
      const copy = await copyNewsletter(db, id, actor);
      if (copy === null) return fail(words.copyFailed);
      return redirectWithFlash(context, `/admin/newsletters/${copy}/edit`, words.copied);
    }
    case 'delete': {
      if (!(await deleteNewsletter(db, id, actor))) return fail(words.deleteFailed);
      const list = ofPage === null ? here : '/admin/newsletters';
      const fields = { intent: 'restore', id: String(id) };
      const undo = { label: 'Undo', action: '/admin/newsletters', fields };
      return redirectWithFlash(context, list, words.deleted, { undo });
    }
    case 'restore': {
      const { ok } = await restoreNewsletter(db, id, actor);
      return ok ? say(words.restored) : fail(words.restoreFailed);
    }
    case 'test': {
      const mail = await testNewsletter(services, id, user);
      return mail === null ? fail(words.testRefused) : say(words.tested(user.email));
    }
    case 'address': {
      requireRight(context, 'settings.write');
      const address = text('postalAddress').trim();
      if (address === '' || address.length > longestAddress) return fail(words.addressMissing);
      const { postalAddress } = await readSiteSettings(db);
      // A postal address that was set in the meantime can be changed only in the settings, which
      // show it.
      if (postalAddress === '') await changeSetting(db, 'postalAddress', address, actor);
      return say(words.addressSaved);
    }
    case 'unschedule':
      return (await unscheduleNewsletter(db, id, actor))
        ? say(words.unscheduled)
        : fail(words.notScheduled);
    case 'pause':
      return (await pauseNewsletter(db, id, actor)) ? say(words.paused) : fail(words.notSending);
    default:
      return fail(words.notFound);
  }
}
