import { redirect } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  newsletterAdminMessages as words,
  problemWords,
} from '#app/features/newsletter/newsletter-admin-messages.ts';
import { chooseSubject } from '#app/features/newsletter/choose-subject.server.ts';
import {
  resumeNewsletter,
  scheduleNewsletter,
  startNewsletter,
} from '#app/features/newsletter/send-newsletter.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { fromWallClock } from '#app/platform/wall-clock.ts';
import { redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import type { Route } from './+types/newsletter-send-route';

/** Redirects to the newsletter if the posted page is reloaded. */
export function loader({ params, context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.send');
  return redirect(pageOf(params.id));
}

/** Sends a newsletter now or later, or resumes it. Sending requires a separate right. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'newsletter.send').id;
  const { services, db, text, intent } = await readPost(context, request);
  const id = parseRowId(params.id) ?? 0;
  const here = pageOf(params.id);
  const say = (said: string) => redirectWithFlash(context, here, said);
  const fail = (said: string) => redirectWithError(context, here, said);
  const expectedVersion = Number(text('version'));
  switch (intent) {
    case 'send': {
      const until = momentOf(text('counted'), services.now());
      const sent = await startNewsletter(services, id, { actor, expectedVersion, until });
      return sent.ok ? say(words.sending(sent.recipients)) : fail(sayRefusal(sent.reason));
    }
    case 'schedule': {
      const { timeZone } = await readSiteSettings(db);
      const sendAt = fromWallClock(text('sendAt').trim(), timeZone) ?? new Date(0);
      const done = await scheduleNewsletter(services, id, { actor, expectedVersion, sendAt });
      return done.ok ? say(words.scheduled) : fail(sayRefusal(done.reason));
    }
    case 'resume': {
      const done = await resumeNewsletter(services, id, actor);
      return done.ok ? say(words.resumed) : fail(sayRefusal(done.reason));
    }
    case 'choose': {
      const variant = text('variant') === 'b' ? 'b' : 'a';
      const done = await chooseSubject(db, id, { variant, actor });
      if (done.ok) return say(words.chosen(variant));
      return fail(done.reason === 'chosen' ? words.alreadyChosen : words.notTested);
    }
    default:
      return fail(words.notFound);
  }
}

const pageOf = (id: string) => `/admin/newsletters/${parseRowId(id) ?? ''}`;

/** Messages for a send that was refused. */
const refusals: Partial<Record<string, string>> = {
  ...problemWords,
  begun: words.alreadyBegun,
  'changed-meanwhile': words.lookAgain,
  'not-paused': words.notPaused,
  past: words.timePast,
};
const sayRefusal = (reason: string) => refusals[reason] ?? words.notFound;

/**
 * Returns the time of the count, since later subscribers were not part of the confirmed number. The
 * time is never in the future.
 */
function momentOf(typed: string, now: Date): Date {
  const moment = new Date(typed);
  return Number.isNaN(moment.getTime()) || moment > now ? now : moment;
}
