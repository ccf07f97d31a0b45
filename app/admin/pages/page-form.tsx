import { type ReactNode, useState } from 'react';
import { type PostPreview } from '#app/admin/editor/content-field.tsx';
import { MarkdownField } from '#app/admin/editor/markdown-field.tsx';
import { EditForm, type EditFields } from '#app/admin/frame/edit-form.tsx';
import type { FormOutcome } from '#app/admin/frame/form-outcome.ts';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { SearchSection } from '#app/admin/frame/search-section.tsx';
import { useSlug } from '#app/admin/frame/use-slug.ts';
import { describePage } from '#app/features/pages/page-head.ts';
import { pageMessages } from '#app/features/pages/page-messages.ts';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { pageLabels } from './page-texts.ts';

type Fields = EditFields<keyof typeof pageLabels>;
export type PageAnswer = FormOutcome | PostPreview | undefined;

interface FormProps {
  stored: Record<string, string>;
  answer: PageAnswer;
  version: number | undefined;
  cancelHref: string;
  /** The slug of a stored page or of a text. */
  slug: string | null;
  /** The hint of the content; `null` if the page has none. */
  contentHint: string | null;
  /** The default title and description, shown while the fields are blank. */
  usual?: { title: string; description: string };
  children?: (fields: Fields) => ReactNode;
}

/** The form of a page. `children` are further fields below the title. */
export function PageForm(props: FormProps) {
  const { stored, answer, version, cancelHref, slug, contentHint, usual, children } = props;
  const preview = answer?.ok ? answer : undefined;
  const shown = preview?.values['version'];
  return (
    <EditForm
      stored={preview?.values ?? stored}
      isUnsaved={preview !== undefined}
      outcome={answer?.ok ? undefined : answer}
      errorTitle={pageMessages.saveFailed}
      labels={pageLabels}
      submitLabel="Save"
      cancelHref={cancelHref}
      version={shown ? Number(shown) : version}
    >
      {(fields) => (
        <>
          {/* Enter in a field submits the form's first button, which must be Save. */}
          <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true">
            Save
          </button>
          <FormSection title="Page" isSingle>
            {children ? (
              children(fields)
            ) : (
              <TextField {...fields.of('title')} maxLength={200} required />
            )}
            <TextAreaField
              {...fields.of('intro')}
              rows={3}
              maxLength={1_000}
              hint="One paragraph below the title. Leave blank for none."
            />
          </FormSection>
          {contentHint === null ? null : (
            <FormSection title="Content" isSingle>
              <MarkdownField
                {...fields.of('content')}
                rows={24}
                hint={contentHint}
                preview={preview?.html}
              />
            </FormSection>
          )}
          <SearchSection
            fields={fields}
            path=""
            slug={slug}
            describe={({ title, intro, ...typed }) => {
              const usualTitle = usual?.title ?? (title || '…');
              const head = describePage({ ...typed, title: usualTitle, intro });
              return usual
                ? { ...head, description: typed.seo_description || usual.description }
                : head;
            }}
          />
        </>
      )}
    </EditForm>
  );
}

/** The fields that only the owner's pages have. */
export function OwnFields({ fields, storedSlug }: { fields: Fields; storedSlug: string | null }) {
  const [title, setTitle] = useState(fields.value('title'));
  const [slug, setSlug] = useState(fields.value('slug'));
  const ofTitle = useSlug(title);
  const shown = slug || storedSlug || ofTitle || '…';
  return (
    <>
      <TextField
        {...fields.of('title')}
        required
        maxLength={200}
        onChange={(event) => setTitle(event.target.value)}
      />
      <TextField
        {...fields.of('slug')}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setSlug(event.target.value)}
        hint={`Address: /${shown}. Slashes make levels, such as guides/tv. Leave blank to ${storedSlug ? 'keep it' : 'use the title'}. Old addresses redirect to the new one.`}
      />
      <CheckField
        {...fields.tick('is_visible')}
        hint="If unticked, the page is a draft that only staff see."
      />
    </>
  );
}
