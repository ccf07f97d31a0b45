import { useState } from 'react';
import { ContentField } from '#app/admin/editor/content-field.tsx';
import type { EditorDeal } from '#app/admin/editor/editor-deals.ts';
import { newsletterAdminMessages } from '#app/features/newsletter/newsletter-admin-messages.ts';
import type { NewsletterState } from '#app/features/newsletter/newsletter-state.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { EditForm } from '../frame/edit-form.tsx';
import type { FormOutcome } from '../frame/form-outcome.ts';
import { FormSection } from '../frame/form-section.tsx';
import { AudienceFields, TestFields } from './audience-fields.tsx';
import { newsletterLabels } from './newsletter-texts.ts';
import type { AudienceChoices } from '#app/features/newsletter/audience-choices.server.ts';

/** The form of a new or stored newsletter. */
export function NewsletterEditor({
  newsletter,
  stored,
  deals,
  subscribers,
  audiences,
  answer,
  cancelHref,
}: {
  /** `null` for a new newsletter. */
  newsletter: { version: number; state: NewsletterState; isTesting: boolean } | null;
  stored: Record<string, string>;
  /** The deals in the newsletter's content. */
  deals: EditorDeal[];
  /** The total number of subscribers. */
  subscribers: number;
  audiences: AudienceChoices;
  answer: FormOutcome | undefined;
  cancelHref: string;
}) {
  const start = answer?.values ?? stored;
  const [content, setContent] = useState(start['content'] ?? '');
  const isHydrated = useIsHydrated();
  const isTesting = newsletter?.isTesting === true;
  return (
    <EditForm
      stored={stored}
      outcome={answer}
      errorTitle={
        newsletter ? newsletterAdminMessages.updateFailed : newsletterAdminMessages.createFailed
      }
      labels={newsletterLabels}
      submitLabel="Save and preview"
      cancelHref={cancelHref}
      isIncomplete={isHydrated && isBlank(content)}
      version={newsletter?.version}
    >
      {(fields) => (
        <>
          <FormSection title="Newsletter" isSingle>
            <TextField
              {...fields.of('subject')}
              required
              readOnly={isTesting}
              maxLength={150}
              hint={
                isTesting
                  ? 'Part of a test, so it can no longer be changed.'
                  : 'The email’s subject line and heading.'
              }
            />
            <TextField
              {...fields.of('preview')}
              readOnly={isTesting}
              maxLength={150}
              hint="Inboxes show it beside the subject. Leave blank to use the subject."
            />
          </FormSection>
          <FormSection title="Content" isSingle>
            <ContentField
              html={content}
              onChange={setContent}
              error={fields.error('content')}
              label={newsletterLabels.content}
              hint='HTML: paragraphs, headings, lists, links and pictures. A deal is <hr data-deal="12">, a button <a data-button href="/deals">Deals</a>. Other elements are removed.'
              mailPreview="/admin/newsletters/preview"
              deals={{ search: '/admin/newsletters/deals', known: deals }}
            />
          </FormSection>
          {newsletter?.state === 'paused' ? null : (
            <FormSection
              title="Audience"
              hint={`All ${countNoun(subscribers, 'active subscriber')}, unless you narrow the audience.`}
            >
              <AudienceFields fields={fields} audiences={audiences} />
              <TextField
                {...fields.of('audience_since')}
                type="date"
                hint="Leave blank for all subscribers."
              />
              <CheckField
                {...fields.tick('audience_confirmed')}
                hint="Excludes people who subscribed while confirmation was off."
              />
            </FormSection>
          )}
          {newsletter?.state === 'paused' ? null : <TestFields fields={fields} />}
        </>
      )}
    </EditForm>
  );
}

/** Returns whether the content is blank except for the tags that an emptied editor leaves. */
function isBlank(html: string): boolean {
  return !/<img\b|data-deal=/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|\s/g, '') === '';
}
