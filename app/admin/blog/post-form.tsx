import { useState } from 'react';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { describePost } from '#app/features/blog/describe-post.ts';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { suggestReadTime } from '#app/features/blog/suggest-read-time.ts';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { EditForm, type EditFields } from '#app/admin/frame/edit-form.tsx';
import type { FormOutcome } from '#app/admin/frame/form-outcome.ts';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { SearchSection } from '#app/admin/frame/search-section.tsx';
import { PictureField } from '#app/admin/media/picture-field.tsx';
import { useSlug } from '#app/admin/frame/use-slug.ts';
import { ContentField, type PostPreview } from '#app/admin/editor/content-field.tsx';
import type { EditorDeal } from '#app/admin/editor/editor-deals.ts';
import styles from './post-form.module.css';
import { postLabels } from './post-texts.ts';

type Fields = EditFields<keyof typeof postLabels>;

/** The form of a new or stored post. */
export function PostForm({
  post,
  stored,
  deals,
  answer,
  cancelHref,
}: {
  /** `null` for a new post. */
  post: { id: number; state: string; version: number; slug: string } | null;
  stored: Record<string, string>;
  /** The deals in the post's content. */
  deals: EditorDeal[];
  answer: FormOutcome | PostPreview | undefined;
  cancelHref: string;
}) {
  const preview = answer?.ok ? answer : undefined;
  const start = answer?.values ?? stored;
  const [title, setTitle] = useState(start['title'] ?? '');
  const [content, setContent] = useState(start['content'] ?? '');
  const isHydrated = useIsHydrated();
  const drawn =
    post?.state === 'published' ? { name: `post-${post.id}`, version: post.version } : null;
  // A preview saves nothing, so the version to overwrite is still the one that was opened.
  const version = Number(preview?.values['version'] ?? post?.version);
  return (
    <EditForm
      stored={start}
      isUnsaved={preview !== undefined}
      outcome={answer?.ok ? undefined : answer}
      errorTitle={post ? postMessages.updateFailed : postMessages.createFailed}
      labels={postLabels}
      submitLabel="Save"
      cancelHref={cancelHref}
      isIncomplete={isHydrated && (title.trim() === '' || isBlank(content))}
      version={post ? version : undefined}
    >
      {(fields) => (
        <>
          {/* Enter in a field submits the form's first button, which must be Save. */}
          <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true">
            Save
          </button>
          <WordFields fields={fields} title={title} onTitle={setTitle} slug={post?.slug ?? ''} />
          <FormSection title="Content" isSingle>
            <ContentField
              html={content}
              onChange={setContent}
              error={fields.error('content')}
              label={postLabels.content}
              hint='HTML: paragraphs, headings, lists, tables, links and pictures. A deal is <hr data-deal="12">, a button <a data-button href="/deals">Deals</a>. Other elements are removed.'
              deals={{ search: '/admin/blog/deals', known: deals }}
              hasPreview
              preview={preview?.html}
            />
          </FormSection>
          <PublicationFields fields={fields} content={content} />
          <FormSection title="Picture and tags">
            <PictureField
              {...fields.of('featured_image_url')}
              maxLength={2_048}
              alt="The featured image"
              hint="A draft can be saved without one."
            />
            <FullWidth>
              <TextField
                {...fields.of('tags')}
                hint="Separate tags with commas: up to 20, each up to 40 characters."
              />
            </FullWidth>
          </FormSection>
          <SearchSection
            fields={fields}
            path="/blog"
            drawn={drawn}
            describe={(typed) => {
              const own = typed.featured_image_url;
              return describePost({
                ...typed,
                title: typed.title || '…',
                featured_image_url: drawn && own.startsWith('/media/') ? null : own || null,
              });
            }}
          />
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
  fields: Fields;
  title: string;
  onTitle: (title: string) => void;
  slug: string;
}) {
  const [slug, setSlug] = useState(fields.value('slug'));
  const ofTitle = useSlug(title);
  const shown = slug || storedSlug || ofTitle || '…';
  return (
    <FormSection title="Post" isSingle>
      <TextField
        {...fields.of('title')}
        required
        maxLength={200}
        onChange={(event) => onTitle(event.target.value)}
      />
      <TextField
        {...fields.of('slug')}
        maxLength={100}
        onChange={(event) => setSlug(event.target.value)}
        hint={`Address: /blog/${shown}. Leave blank to ${storedSlug ? 'keep it' : 'use the title'}. Old addresses redirect to the new one.`}
      />
      <TextAreaField
        {...fields.of('excerpt')}
        required
        rows={3}
        maxLength={500}
        hint="Shown in lists and above the article."
      />
    </FormSection>
  );
}

function PublicationFields({ fields, content }: { fields: Fields; content: string }) {
  const { timeZone } = useSite();
  const [readTime, setReadTime] = useState(fields.value('read_time'));
  const { words, minutes } = suggestReadTime(content);
  return (
    <FormSection title="Publication">
      <CheckField
        {...fields.tick('is_published')}
        hint="If unticked, the post is a draft that only staff see."
      />
      <CheckField
        {...fields.tick('is_featured')}
        hint="The two newest featured posts appear above the blog’s list."
      />
      <TextField
        {...fields.of('published_at')}
        type="datetime-local"
        hint={`Leave blank to use the time of first publication. A future date schedules the post. Time zone: ${timeZone}.`}
      />
      <TextField
        {...fields.of('author')}
        maxLength={100}
        hint="Leave blank to use the team’s name."
      />
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
            <Button variant="quiet" onClick={() => setReadTime(String(minutes))}>
              Use {minutes}
            </Button>
          </p>
        ) : null}
      </div>
    </FormSection>
  );
}

/** Returns whether the content is blank except for the tags that an emptied editor leaves. */
function isBlank(html: string): boolean {
  return !/<img\b|data-deal=/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|\s/g, '') === '';
}
