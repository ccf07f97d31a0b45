import { data } from 'react-router';
import { redirectWithError, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { refuseForm, typedValues } from '#app/admin/frame/form-outcome.ts';
import { previewContent } from '#app/admin/pages/save-page.server.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { checkMarkdown } from '#app/features/pages/check-markdown.server.ts';
import { changeHome, restoreHome } from '#app/features/site-settings/change-home.server.ts';
import {
  type HomeMove,
  homeSectionLabels,
  isHomeSection,
} from '#app/features/site-settings/home-sections.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { saveSection } from './act-on-settings.server.ts';

export const homeScreen = '/admin/home';

const done = { up: 'moved', down: 'moved', show: 'shown', hide: 'hidden' } as const;

/**
 * Moves, shows, hides or restores sections of the home page, or saves their titles and the owner's
 * block.
 */
export async function actOnHome(post: Post, user: SessionUser) {
  const { context, db, form, intent } = post;
  const values = typedValues(form);
  if (intent === 'preview') return previewContent(context, values);
  if (intent === 'reset') {
    await restoreHome(db, user.id);
    return redirectWithFlash(context, homeScreen, 'The default home page is shown again.');
  }
  const { name = '', place } = values;
  if (isMove(intent) && isHomeSection(name)) {
    const moved = await changeHome(db, { kind: intent, name, place: Number(place) }, user.id);
    return moved
      ? redirectWithFlash(context, homeScreen, `“${homeSectionLabels[name]}” ${done[intent]}.`)
      : redirectWithError(context, homeScreen, 'Someone else moved this section in the meantime.');
  }
  if (intent !== '' || !form.has('version')) throw data(null, { status: 400 });
  const problem = checkMarkdown((values['content'] ?? '').slice(0, 10_000), null);
  if (problem !== null) return refuseForm({ values, errors: { content: problem } });
  return saveSection(post, user, 'home', homeScreen);
}

function isMove(intent: string): intent is HomeMove['kind'] {
  return Object.hasOwn(done, intent);
}
