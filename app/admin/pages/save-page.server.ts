import { data } from 'react-router';
import { answerSave } from '#app/admin/frame/answer-save.server.ts';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { refuseForm, typedValues } from '#app/admin/frame/form-outcome.ts';
import type { Context } from '#app/admin/frame/read-or-fail.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { savePage, saveText } from '#app/features/pages/change-page.server.ts';
import { checkMarkdown } from '#app/features/pages/check-markdown.server.ts';
import { longestContent, pageInput, textInput } from '#app/features/pages/page-input.server.ts';
import { pageMessages, reservedMessage } from '#app/features/pages/page-messages.ts';
import { pageTable } from '#app/features/pages/page-table.ts';
import { renderMarkdown } from '#app/features/pages/render-markdown.server.ts';
import { isTextName } from '#app/features/pages/site-texts.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { escapeXml } from '#app/platform/escape-xml.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';

type Values = Record<string, string>;

/** Saves one of the owner's pages from its form, or previews it. A new page has no `id`. */
export async function saveOwnPage(request: Request, context: Context, id: string | undefined) {
  const { db } = appServices(context);
  const values = typedValues(await readFormBody(request));
  if (values['intent'] === 'preview') return previewContent(context, values);
  const parsed = pageInput.safeParse(values);
  if (!parsed.success) return refuseForm({ values, errors: fieldErrors(parsed.error) });
  const saved = await savePage(db, parsed.data, {
    actor: requireUser(context).id,
    id: id === undefined ? null : (parseRowId(id) ?? 0),
    expectedVersion: Number(values['version']),
  });
  const slug = 'slug' in saved ? saved.slug : '';
  return answerSave(context, saved, {
    ...answerOf(request, values),
    words: {
      ...pageMessages,
      done: id === undefined ? pageMessages.created : pageMessages.updated,
    },
    errors: {
      'slug-taken': { slug: pageMessages.slugTaken },
      reserved: { slug: reservedMessage(slug) },
    },
  });
}

/** Saves the replacement of a built-in text from its form, or previews it. */
export async function saveSiteText(request: Request, context: Context, name: string) {
  const { db } = appServices(context);
  if (!isTextName(name)) throw data({ missing: pageMessages.notFound }, { status: 404 });
  const values = typedValues(await readFormBody(request));
  if (values['intent'] === 'preview') return previewContent(context, values);
  const parsed = textInput(name).safeParse(values);
  if (!parsed.success) return refuseForm({ values, errors: fieldErrors(parsed.error) });
  const saved = await saveText(db, name, parsed.data, {
    actor: requireUser(context).id,
    expectedVersion: Number(values['version']),
  });
  return answerSave(context, saved, {
    ...answerOf(request, values),
    words: { ...pageMessages, done: pageMessages.updated },
    errors: { 'slug-taken': { content: pageMessages.changedMeanwhile } },
  });
}

function answerOf(request: Request, values: Values) {
  return { values, backTo: backToList(request.url, pageTable.path), textsOf: rowTexts };
}

/** Returns the Markdown of the field `content` as a page shows it. */
export function previewContent(context: Context, values: Values) {
  const content = (values['content'] ?? '').slice(0, longestContent);
  const problem = checkMarkdown(content, null);
  const html = problem
    ? `<p>${escapeXml(problem)}</p>`
    : renderMarkdown(content, appServices(context).env.origin);
  return { ok: true as const, values, html };
}
