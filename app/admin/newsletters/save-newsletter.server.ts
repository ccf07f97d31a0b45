import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import {
  createNewsletter,
  updateNewsletter,
} from '#app/features/newsletter/change-newsletter.server.ts';
import { newsletterInput } from '#app/features/newsletter/newsletter-input.ts';
import { newsletterAdminMessages } from '#app/features/newsletter/newsletter-admin-messages.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { answerSave } from '../frame/answer-save.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import type { Context } from '../frame/read-or-fail.server.ts';
import { newsletterTexts } from './newsletter-texts.ts';

/** Saves a newsletter from its form and redirects to the preview. A new one has no `id`. */
export async function saveNewsletter(request: Request, context: Context, id: string | undefined) {
  const { db, env } = appServices(context);
  const values = typedValues(await readFormBody(request));
  const { timeZone } = await readSiteSettings(db);
  const parsed = newsletterInput(timeZone).safeParse(values);
  if (!parsed.success) return refuseForm({ values, errors: fieldErrors(parsed.error) });
  const writer = { actor: requireUser(context).id, origin: env.origin };
  const expectedVersion = Number(values['version']);
  const saved = await (id === undefined
    ? createNewsletter(db, parsed.data, writer)
    : updateNewsletter(db, parseRowId(id) ?? 0, parsed.data, { ...writer, expectedVersion }));
  return answerSave(context, saved, {
    values,
    backTo: `/admin/newsletters/${saved.ok ? saved.newsletter.id : ''}`,
    words: newsletterAdminMessages,
    textsOf: (newsletter) => newsletterTexts(newsletter, timeZone),
    errors: {
      'list-retired': { list_id: newsletterAdminMessages.noSuchList },
      'not-editable': { subject: newsletterAdminMessages.notEditable },
      'content-empty': { content: newsletterAdminMessages.contentEmpty },
      'content-too-long': { content: newsletterAdminMessages.contentTooLong },
    },
  });
}
