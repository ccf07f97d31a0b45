import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { createPost, updatePost } from '#app/features/blog/change-post.server.ts';
import { postInput } from '#app/features/blog/post-input.ts';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { linkDeals } from '#app/features/blog/content-deals.ts';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { answerSave } from '#app/admin/frame/answer-save.server.ts';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { refuseForm, typedValues } from '#app/admin/frame/form-outcome.ts';
import type { Context } from '#app/admin/frame/read-or-fail.server.ts';
import { postTexts, teamOf } from './post-texts.ts';

/** Saves a post from its form, or previews it. A new post has no `id`. */
export async function savePost(request: Request, context: Context, id: string | undefined) {
  const { db, env } = appServices(context);
  const values = typedValues(await readFormBody(request));
  if (values['intent'] === 'preview') {
    const html = linkDeals(sanitisePost(values['content'] ?? '', env.origin, { hasDeals: true }));
    return { ok: true as const, values, html };
  }
  const { siteName, timeZone } = await readSiteSettings(db);
  const parsed = postInput(timeZone).safeParse(values);
  if (!parsed.success) return refuseForm({ values, errors: fieldErrors(parsed.error) });
  const input = { ...parsed.data, author: parsed.data.author ?? teamOf(siteName) };
  const writer = { actor: requireUser(context).id, origin: env.origin };
  const expectedVersion = Number(values['version']);
  const saved = await (id === undefined
    ? createPost(db, input, writer)
    : updatePost(db, parseRowId(id) ?? 0, input, { ...writer, expectedVersion }));
  const done = id === undefined ? postMessages.created : postMessages.updated;
  return answerSave(context, saved, {
    values,
    backTo: backToList(request.url, '/admin/blog'),
    words: { ...postMessages, done },
    textsOf: (post) => postTexts(post, timeZone),
    errors: {
      'slug-taken': { slug: postMessages.slugTaken },
      'content-empty': { content: postMessages.contentEmpty },
      'content-too-long': { content: postMessages.contentTooLong },
    },
  });
}
