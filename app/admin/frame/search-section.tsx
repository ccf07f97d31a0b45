import { useEffect, useRef, useState } from 'react';
import { searchColumns, shownInSearch } from '#app/features/catalog/search-fields.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { shortenText } from '#app/platform/cut-text.ts';
import { pictureAddress } from '#app/platform/safe-url.ts';
import { PictureField } from '#app/admin/media/picture-field.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { EditFields } from './edit-form.tsx';
import { FormSection, FullWidth } from './form-section.tsx';
import styles from './search-section.module.css';

/** The fields of a form that make up the head of its page. */
const used = [
  'name',
  'title',
  'slug',
  'description',
  'excerpt',
  'intro',
  'logo_url',
  'featured_image_url',
  'share_image_url',
  ...searchColumns.filter((name) => name !== 'noindex'),
] as const;
type Typed = Record<(typeof used)[number], string>;

interface Head {
  title: string;
  description: string;
  shareText: string | null;
  image: string | null;
}

/** A page's drawn share picture, such as `merchant-12`, and the version of its row. */
interface Drawn {
  name: string;
  version: number;
}

/**
 * The fields for a page's texts in search results and link previews, with a preview of both. The
 * preview follows every field of the form. Without JavaScript it shows what is stored.
 */
export function SearchSection({
  fields,
  path,
  image,
  slug = null,
  drawn = null,
  describe,
}: {
  fields: EditFields<(typeof searchColumns)[number]>;
  /** The folder of the page's URL. */
  path: string;
  /** The slug to preview while the form's slug field is missing or empty. */
  slug?: string | null;
  drawn?: Drawn | null;
  /** The field for a link preview's picture, for pages without a picture of their own. */
  image?: ReturnType<EditFields['of']>;
  /** Returns the page's head, as the public page does. */
  describe: (typed: Typed) => Head;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState(() => read((name) => fields.value(name)));
  const [isHidden, setHidden] = useState(fields.isTicked('noindex'));
  useEffect(() => {
    const form = place.current?.closest('form');
    if (!form) return undefined;
    const follow = () => {
      const data = new FormData(form);
      setTyped(read((name) => data.get(name)));
      setHidden(data.has('noindex'));
    };
    follow();
    form.addEventListener('input', follow);
    return () => form.removeEventListener('input', follow);
  }, []);
  const head = describe(typed);
  return (
    <FormSection title="Search and sharing" hint="Blank fields use the page’s own texts.">
      <TextField
        {...fields.of('seo_title')}
        maxLength={200}
        hint={lengthOf(head.title, shownInSearch.title)}
      />
      <TextAreaField
        {...fields.of('seo_description')}
        rows={2}
        maxLength={500}
        hint={lengthOf(head.description, shownInSearch.description)}
      />
      <TextAreaField
        {...fields.of('share_text')}
        rows={2}
        maxLength={500}
        hint="Shown below the title where the page is shared. Leave blank to use the description."
      />
      {image ? <PictureField {...image} maxLength={2_048} alt="The picture when shared" /> : null}
      <CheckField
        {...fields.tick('noindex')}
        hint="The page stays public, but is removed from the sitemap and asks search engines not to list it."
      />
      <FullWidth>
        <div ref={place} className={styles.previews}>
          <SearchPreview
            head={head}
            path={`${path}/${typed.slug || slug || '…'}`}
            isHidden={isHidden}
          />
          <SharePreview head={head} drawn={drawn} />
        </div>
      </FullWidth>
    </FormSection>
  );
}

function SearchPreview({
  head: { title, description },
  path,
  isHidden,
}: {
  head: Head;
  path: string;
  isHidden: boolean;
}) {
  const { origin, name } = useSite();
  return (
    <figure className={styles.preview}>
      <figcaption>Search result</figcaption>
      {isHidden ? (
        <p>Search engines are asked not to list this page.</p>
      ) : (
        <div className={styles.result}>
          <p className={styles.address}>{`${new URL(origin).host}${path}`}</p>
          <p className={styles.title}>{shortenText(`${title} | ${name}`, shownInSearch.title)}</p>
          <p>{shortenText(description, shownInSearch.description)}</p>
        </div>
      )}
    </figure>
  );
}

function SharePreview({
  head: { title, description, shareText, image },
  drawn,
}: {
  head: Head;
  drawn: Drawn | null;
}) {
  const { origin, brand } = useSite();
  // Every URL of a picture shows the stored state. A new URL for each version of the row keeps
  // browsers from showing a cached picture.
  const ours = drawn
    ? `/share-pictures/${drawn.name}-${String(drawn.version).padStart(12, '0')}.jpg`
    : (brand?.sharePicture ?? '/art/share.png');
  const src = image === null ? ours : pictureAddress(image);
  return (
    <figure className={styles.preview}>
      <figcaption>When shared</figcaption>
      <div className={styles.card}>
        {src === null ? null : (
          <img
            src={src}
            alt=""
            width={400}
            height={209}
            loading="lazy"
            referrerPolicy="no-referrer"
          />
        )}
        <div className={styles.words}>
          <p className={styles.address}>{new URL(origin).host}</p>
          <p className={styles.title}>{title}</p>
          <p>{shortenText(shareText ?? description, shownInSearch.description)}</p>
        </div>
      </div>
    </figure>
  );
}

function read(valueOf: (name: string) => unknown): Typed {
  const texts = used.map((name) => {
    const value = valueOf(name);
    return [name, typeof value === 'string' ? value.trim() : ''] as const;
  });
  return Object.fromEntries(texts) as Typed;
}

function lengthOf(text: string, most: number): string {
  // An ellipsis is shown until a name is typed.
  if (text.startsWith('…')) return `Search engines show about ${most} characters.`;
  const counted = `${text.length} of about ${most} characters that search engines show`;
  return text.length > most ? `${counted}. The rest is cut.` : `${counted}.`;
}
