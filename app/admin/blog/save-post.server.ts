import { data, type RouterContextProvider } from 'react-router';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import {
  createPost,
  type SavePostResult,
  updatePost,
} from '#app/features/blog/change-post.server.ts';
import { postInput } from '#app/features/blog/post-input.ts';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { readText } from '#app/platform/read-text.ts';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { type FormOutcome, typedValues } from '#app/admin/frame/form-outcome.ts';
import { postTexts, teamOf } from './post-texts.ts';

type Context = Readonly<Pick<RouterContextProvider, 'get'>>;

/** What the form's action answers when it does not lead on. */
export interface PostFormAnswer {
  outcome?: FormOutcome;
  /** The content as visitors would see it, and the form as it was sent: nothing is saved. */
  preview?: { html: string; values: Record<string, string> };
}

/** Saves what the form of a post holds, or shows how it would look; `id` is null for a new one. */
export async function savePost(
  context: Context,
  form: FormData,
  { id, backTo }: { id: number | null; backTo: string },
) {
  const { db, env } = appServices(context);
  const values = typedValues(form);
  if (readText(form, 'intent') === 'preview') {
    const html = sanitisePost(readText(form, 'content'), env.origin);
    return data<PostFormAnswer>({ preview: { html, values } });
  }
  const { siteName, timeZone } = await readSiteSettings(db);
  const parsed = postInput(timeZone).safeParse(values);
  if (!parsed.success) return refuse({ values, errors: fieldErrors(parsed.error) }, 422);
  const input = { ...parsed.data, author: parsed.data.author ?? teamOf(siteName) };
  const writer = { actor: requireUser(context).id, origin: env.origin };
  const saved =
    id === null
      ? await createPost(db, input, writer)
      : await updatePost(db, id, input, {
          ...writer,
          expectedVersion: Number(readText(form, 'version')),
        });
  if (!saved.ok) return refuseSave(saved, values, timeZone);
  return redirectWithFlash(
    context,
    backTo,
    id === null ? postMessages.created : postMessages.updated,
  );
}

const refusals = {
  'slug-taken': { slug: postMessages.slugTaken },
  'content-empty': { content: postMessages.contentEmpty },
  'content-too-long': { content: postMessages.contentTooLong },
};

function refuseSave(
  saved: Exclude<SavePostResult, { ok: true }>,
  values: Record<string, string>,
  timeZone: string,
) {
  if (saved.reason === 'changed-meanwhile') {
    const { version } = saved.current;
    const conflict = { version, current: postTexts(saved.current, timeZone) };
    return refuse({ values, conflict, message: postMessages.changedMeanwhile }, 409);
  }
  if (saved.reason === 'not-found') {
    return refuse({ values, message: postMessages.goneWhileEdited }, 404);
  }
  return refuse({ values, errors: refusals[saved.reason] }, 422);
}

function refuse(outcome: Omit<FormOutcome, 'ok'>, status: number) {
  return data<PostFormAnswer>({ outcome: { ok: false, ...outcome } }, { status });
}
