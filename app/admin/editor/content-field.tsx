import { type ComponentType, useEffect, useId, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { Button } from '#app/ui/button.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { putValue } from '#app/admin/frame/put-value.ts';
import prose from '#app/features/blog/prose.module.css';
import styles from './content-field.module.css';
import type { EditorDeals } from './editor-deals.ts';
import { MailPreviewFrame } from './mail-preview-frame.tsx';
import type { RichTextEditorProps } from './rich-text-editor.client.tsx';

/** The response to a preview: the content as visitors would see it. Nothing is saved. */
export interface PostPreview {
  ok: true;
  html: string;
  values: Record<string, string>;
}

type Tab = 'Write' | 'Source' | 'Preview';

/**
 * The content of a post or newsletter, with three tabs: a rich-text editor, the HTML source and the
 * server's preview. Only the text area is posted. Without JavaScript there is only the text area,
 * with a button for the preview.
 */
export function ContentField({
  html,
  onChange,
  error,
  label,
  hint,
  deals,
  hasPreview = false,
  preview,
  mailPreview,
}: {
  html: string;
  onChange: (html: string) => void;
  error: string | undefined;
  label: string;
  /** The hint below the source. */
  hint: string;
  /** The deals that the content may contain. Absent if it may contain none. */
  deals?: EditorDeals;
  /** Whether the page's action handles `intent=preview`. */
  hasPreview?: boolean;
  /** The preview that was requested without JavaScript. */
  preview?: string;
  /** The route that renders the form as an email, for the tab "Preview". */
  mailPreview?: string;
}) {
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const isHydrated = useIsHydrated();
  const [Editor, setEditor] = useState<ComponentType<RichTextEditorProps> | null>(null);
  // Keeps inserted deals for the next time the editor is opened.
  const [shownDeals] = useState(() => new Map(deals?.known.map((deal) => [deal.id, deal])));
  const fetcher = useFetcher<PostPreview>();
  const [chosen, setTab] = useState<Tab>(preview === undefined ? 'Write' : 'Preview');
  const tab = chosen === 'Write' && !Editor ? 'Source' : chosen;
  const shown = fetcher.data?.html ?? preview;

  // The editor loads for this form only. If loading fails, the source can still be edited.
  useEffect(() => {
    import('./rich-text-editor.client.tsx').then(
      ({ RichTextEditor }) => setEditor(() => RichTextEditor),
      () => {},
    );
  }, []);

  const open = (next: Tab) => {
    setTab(next);
    if (next !== 'Preview' || mailPreview) return;
    void fetcher.submit({ intent: 'preview', content: html }, { method: 'post' });
  };

  return (
    <div ref={field} className="column gap-3">
      <TabBar
        id={id}
        label={label}
        tabs={hasPreview || mailPreview ? ['Write', 'Source', 'Preview'] : ['Write', 'Source']}
        current={tab}
        onOpen={open}
      />
      {tab === 'Write' && Editor ? (
        <div role="tabpanel" id={`${id}-Write`} aria-labelledby={`${id}-Write-tab`}>
          <Editor
            html={html}
            label={label}
            deals={deals && { search: deals.search, shown: shownDeals }}
            proseClass={prose.prose}
            // The editor writes through the text area, so that the form sees the change.
            onChange={(written) =>
              putValue(field.current?.closest('form') ?? null, 'content', written)
            }
          />
          {error ? <p className={styles.error}>{error}</p> : null}
        </div>
      ) : null}
      <div
        id={`${id}-Source`}
        hidden={tab !== 'Source'}
        className={styles.source}
        {...(isHydrated && { role: 'tabpanel', 'aria-labelledby': `${id}-Source-tab` })}
      >
        <TextAreaField
          label={label}
          name="content"
          rows={18}
          spellCheck
          value={html}
          error={error}
          onChange={(event) => onChange(event.target.value)}
          hint={hint}
        />
        {hasPreview ? (
          <p data-without-js>
            <Button type="submit" name="intent" value="preview">
              Preview
            </Button>
          </p>
        ) : null}
      </div>
      {tab === 'Preview' ? (
        <section
          id={`${id}-Preview`}
          className={styles.preview}
          aria-label="Preview"
          aria-busy={fetcher.state !== 'idle' || undefined}
          {...(isHydrated && { role: 'tabpanel', tabIndex: 0 })}
        >
          {mailPreview ? (
            <MailPreviewFrame action={mailPreview} />
          ) : shown === undefined ? (
            <p>Preparing the preview…</p>
          ) : (
            // The server sanitizes the preview, as it does saved content.
            <div className={prose.prose} dangerouslySetInnerHTML={{ __html: shown }} />
          )}
        </section>
      ) : null}
    </div>
  );
}

/** Makes the tab list keyboard-accessible: one tab stop, with arrow keys between tabs. */
function TabBar({
  id,
  label,
  tabs,
  current,
  onOpen,
}: {
  id: string;
  label: string;
  tabs: readonly Tab[];
  current: Tab;
  onOpen: (tab: Tab) => void;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const step = (by: number) => {
    const next = tabs[(tabs.indexOf(current) + by + tabs.length) % tabs.length] ?? 'Source';
    onOpen(next);
    bar.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div ref={bar} role="tablist" aria-label={label} className={styles.tabs} data-needs-js>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`${id}-${tab}-tab`}
          data-tab={tab}
          aria-selected={tab === current}
          aria-controls={tab === current ? `${id}-${tab}` : undefined}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => onOpen(tab)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowRight') step(1);
            if (event.key === 'ArrowLeft') step(-1);
          }}
        >
          {tab}
        </button>
      ))}
    </div>
  );
}
