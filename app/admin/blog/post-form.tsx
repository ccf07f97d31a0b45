import { useState } from 'react';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { suggestReadTime } from '#app/features/blog/suggest-read-time.ts';
import { slugify } from '#app/platform/slug.ts';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { EditForm, type EditFields } from '#app/admin/frame/edit-form.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { PicturePreview } from '#app/admin/frame/picture-preview.tsx';
import { ContentField } from './content-field.tsx';
import styles from './post-form.module.css';
import { type PostFieldName, postLabels } from './post-labels.ts';
import type { PostFormAnswer } from './save-post.server.ts';

/** The form of a post, new or stored. */
export function PostForm({
  post,
  stored,
  answer,
  cancelHref,
}: {
  /** Null for a new one. */
  post: { version: number; slug: string } | null;
  stored: Record<string, string>;
  answer: PostFormAnswer | undefined;
  cancelHref: string;
}) {
  const preview = answer?.preview;
  const start = preview?.values ?? answer?.outcome?.values ?? stored;
  const [title, setTitle] = useState(start['title'] ?? '');
  const [content, setContent] = useState(start['content'] ?? '');
  const isHydrated = useIsHydrated();
  // A preview saves nothing: what was opened is still what would be saved over.
  const version = Number(preview?.values['version'] ?? post?.version);
  return (
    <EditForm
      stored={start}
      isUnsaved={preview !== undefined}
      outcome={answer?.outcome}
      errorTitle={post ? postMessages.updateFailed : postMessages.createFailed}
      labels={postLabels}
      submitLabel="Save"
      cancelHref={cancelHref}
      isIncomplete={isHydrated && (title.trim() === '' || isBlank(content))}
      {...(post && { version })}
    >
      {(fields) => (
        <>
          {/* Enter in a field presses the first button of a form: that must be the one that saves. */}
          <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true">
            Save
          </button>
          <WordFields fields={fields} title={title} onTitle={setTitle} slug={post?.slug ?? ''} />
          <FormSection title="Content">
            <FullWidth>
              <ContentField
                html={content}
                onChange={setContent}
                error={fields.error('content')}
                preview={preview?.html}
              />
            </FullWidth>
          </FormSection>
          <PublicationFields fields={fields} content={content} />
          <PictureFields fields={fields} />
          <SearchFields fields={fields} title={title} />
        </>
      )}
    </EditForm>
  );
}

function WordFields({
  fields,
  title,
  onTitle,
  slug: storedSlug,
}: {
  fields: EditFields;
  title: string;
  onTitle: (title: string) => void;
  slug: string;
}) {
  const of = fieldsOf(fields);
  const [slug, setSlug] = useState(fields.value('slug'));
  const shown = slug || storedSlug || slugify(title) || '…';
  return (
    <FormSection title="Post">
      <FullWidth>
        <TextField
          label={postLabels.title}
          name="title"
          required
          maxLength={200}
          value={title}
          error={fields.error('title')}
          onChange={(event) => onTitle(event.target.value)}
        />
      </FullWidth>
      <FullWidth>
        <TextField
          {...of('slug')}
          maxLength={100}
          onChange={(event) => setSlug(event.target.value)}
          hint={`Address: /blog/${shown}. Empty: ${storedSlug ? 'as it is' : 'from the title'}. Old addresses lead to the new one.`}
        />
      </FullWidth>
      <FullWidth>
        <TextAreaField
          {...of('excerpt')}
          required
          rows={3}
          maxLength={500}
          hint="Stands in lists and above the article."
        />
      </FullWidth>
    </FormSection>
  );
}

function PublicationFields({ fields, content }: { fields: EditFields; content: string }) {
  const { timeZone } = useSite();
  const of = fieldsOf(fields);
  const [readTime, setReadTime] = useState(fields.value('read_time'));
  const { words, minutes } = suggestReadTime(content);
  return (
    <FormSection title="Publication">
      <CheckField
        label={postLabels.is_published}
        name="is_published"
        defaultChecked={fields.isTicked('is_published')}
        hint="Unticked it is a draft that only staff see."
      />
      <CheckField
        label={postLabels.is_featured}
        name="is_featured"
        defaultChecked={fields.isTicked('is_featured')}
        hint="The two newest featured posts stand above the blog’s list."
      />
      <TextField
        {...of('published_at')}
        type="datetime-local"
        hint={`Empty: when it is first published. In the future: readers see it from then on. Time zone: ${timeZone}.`}
      />
      <TextField {...of('author')} maxLength={100} hint="Empty: the team." />
      <div>
        <TextField
          label={postLabels.read_time}
          name="read_time"
          type="number"
          min={1}
          max={60}
          value={readTime}
          error={fields.error('read_time')}
          onChange={(event) => setReadTime(event.target.value)}
        />
        {words > 0 && readTime !== String(minutes) ? (
          <p className={styles.suggestion} data-needs-js>
            <span>
              {words.toLocaleString('en-US')} {words === 1 ? 'word takes' : 'words take'} about{' '}
              {minutes} min.
            </span>
            <Button look="quiet" onClick={() => setReadTime(String(minutes))}>
              Use {minutes}
            </Button>
          </p>
        ) : null}
      </div>
    </FormSection>
  );
}

function PictureFields({ fields }: { fields: EditFields }) {
  const of = fieldsOf(fields);
  const [picture, setPicture] = useState(fields.value('featured_image_url'));
  return (
    <FormSection title="Picture and tags">
      <TextField
        label={postLabels.featured_image_url}
        name="featured_image_url"
        required
        inputMode="url"
        maxLength={2_048}
        value={picture}
        error={fields.error('featured_image_url')}
        onChange={(event) => setPicture(event.target.value)}
      />
      <PicturePreview src={picture} alt="The featured image" />
      <FullWidth>
        <TextField
          {...of('tags')}
          hint="Separated by commas: at most 20, each of at most 40 characters."
        />
      </FullWidth>
    </FormSection>
  );
}

function SearchFields({ fields, title }: { fields: EditFields; title: string }) {
  const of = fieldsOf(fields);
  return (
    <FormSection title="For search engines">
      <FullWidth>
        <TextField
          {...of('seo_title')}
          maxLength={200}
          placeholder={title}
          hint="Empty: the title."
        />
      </FullWidth>
      <FullWidth>
        <TextAreaField
          {...of('seo_description')}
          rows={2}
          maxLength={500}
          hint="Empty: the excerpt."
        />
      </FullWidth>
    </FormSection>
  );
}

function fieldsOf(fields: EditFields) {
  return (name: PostFieldName) => ({
    name,
    label: postLabels[name],
    defaultValue: fields.value(name),
    error: fields.error(name),
  });
}

/** Tags around nothing: what an emptied editor holds. */
function isBlank(html: string): boolean {
  return !/<img\b/i.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, '') === '';
}
