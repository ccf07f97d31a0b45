import { Form } from 'react-router';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { feedFields } from '#app/features/feeds/formats/feed-fields.ts';
import type { FeedPreview } from '#app/features/feeds/sources/preview-feed.server.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { fieldLabel } from './import-words.ts';
import forms from '#app/ui/form.module.css';
import styles from './imports.module.css';

interface Loaded {
  source: { id: number };
  seen: FeedPreview;
  mapping: Partial<Record<string, string>>;
  place: string;
  /** The shop's URL: `own` was entered here, and `known` is used if it is blank. */
  shop: { own: string; known: string };
  categoryMapping: Record<string, number>;
  categories: { id: number; name: string }[];
}

/** Other sources with the same columns. */
export function FittingMappings({ fitting }: { fitting: { id: number; name: string }[] }) {
  return fitting.map(({ id, name }) => (
    <div key={id} className="bar gap-3">
      <p className={styles.lead}>“{name}” has a feed with the same columns.</p>
      <PostButton fields={{ intent: 'use-source', from: id }}>Use the same mapping</PostButton>
    </div>
  ));
}

/** Saves this source's mapping as a file, or loads one. */
export function MappingTools({
  source,
  seen,
  file,
}: Pick<Loaded, 'source' | 'seen'> & { file: string | null }) {
  return (
    <section className={styles.part} aria-labelledby="mapping">
      <h2 id="mapping">Mapping as a file</h2>
      <p className={styles.lead}>
        {file === null
          ? 'The mapping can be saved as a file and used for another source or site.'
          : `Read with the file “${file}”. Your choices above take precedence.`}
      </p>
      <form method="post" encType="multipart/form-data" className={styles.exchange}>
        <input type="hidden" name="intent" value="use-file" />
        <label className={`stack gap-tight strong ${styles.file}`}>
          Mapping file
          <input type="file" name="mapping" accept=".json,application/json" required />
        </label>
        <Button type="submit">Use this file</Button>
        <ButtonLink
          to={`/admin/imports/sources/${source.id}/mapping.json?format=${seen.format}`}
          isDocument
        >
          Download mapping
        </ButtonLink>
      </form>
    </section>
  );
}

export function ColumnsForm(loaded: Loaded) {
  const { seen, mapping, categoryMapping, categories } = loaded;
  return (
    <>
      <section className={styles.part} aria-labelledby="samples">
        <h2 id="samples">The first rows</h2>
        <p className={styles.lead}>
          Read as {seen.label}, in {seen.encoding}.
        </p>
        <SampleRows columns={seen.columns} rows={seen.rows} />
      </section>
      <Form method="post" className={`${forms.stack} ${styles.form}`}>
        <input type="hidden" name="head" value={seen.head} />
        <PlaceFields {...loaded} />
        <FormSection
          title="Columns"
          hint="Matched by name unless you choose. Choices are kept for this source."
        >
          {feedFields.map((field) => (
            <ChoiceField
              key={field}
              name={`map.${field}`}
              label={fieldLabel(field)}
              defaultValue={mapping[field] ?? ''}
              options={[
                {
                  value: '',
                  label:
                    mapping[field] === undefined && seen.chosen[field] !== undefined
                      ? `Automatic: ${seen.chosen[field]}`
                      : 'Automatic: none',
                },
                ...columnOptions(seen.columns, mapping[field]),
              ]}
            />
          ))}
        </FormSection>
        {seen.categories.length > 0 ? (
          <FormSection
            title="Categories"
            hint="The feed’s own names. By default, a product goes to the category with that name, or to a new one."
          >
            {seen.categories.map(({ name, rows }, index) => (
              <div key={name}>
                <input type="hidden" name={`category.${index}.name`} value={name} />
                <ChoiceField
                  name={`category.${index}.id`}
                  label={`${name} (${rows.toLocaleString('en-US')})`}
                  defaultValue={String(categoryMapping[name] ?? '')}
                  options={[
                    { value: '', label: 'By its name' },
                    ...categories.map(({ id, name: ours }) => ({ value: String(id), label: ours })),
                  ]}
                />
              </div>
            ))}
          </FormSection>
        ) : null}
        <div className="bar gap-3">
          <Button type="submit" variant="primary" name="intent" value="dry-run">
            Preview import
          </Button>
          <Button type="submit" name="intent" value="save">
            Save without preview
          </Button>
        </div>
      </Form>
    </>
  );
}

/** The path to the products in the feed, and the shop's URL for their links. */
function PlaceFields({ seen, place, shop }: Loaded) {
  const needsShop = seen.chosen.deal_url?.startsWith('{shop}') ?? false;
  const places =
    place === '' || seen.places.includes(place) ? seen.places : [place, ...seen.places];
  if (places.length < 2 && !needsShop && shop.own === '') return null;
  return (
    <FormSection title="Products">
      {places.length < 2 ? null : (
        <ChoiceField
          name="place"
          label="Product element"
          defaultValue={place}
          options={[
            { value: '', label: 'Automatic' },
            ...places.map((path) => ({ value: path, label: path })),
          ]}
          hint="The element or list that repeats. Save to see its values below."
        />
      )}
      {needsShop || shop.own !== '' ? (
        <TextField
          name="shop_url"
          label="Shop address"
          inputMode="url"
          autoComplete="off"
          placeholder={shop.known || 'https://'}
          defaultValue={shop.own}
          required={shop.known === ''}
          hint="This feed has no links. They are made from the shop’s address and the product’s name or number."
        />
      ) : null}
    </FormSection>
  );
}

/** Keeps an earlier choice of column, even if this copy of the feed lacks that column. */
function columnOptions(columns: string[], chosen: string | undefined) {
  const all = chosen === undefined || columns.includes(chosen) ? columns : [chosen, ...columns];
  return all.map((name) => ({ value: name, label: name.split('\n').join(', else ') }));
}

/**
 * Shows a feed's first rows unchanged. The table scrolls sideways, since it is wider than the page.
 */
function SampleRows({
  columns,
  rows,
}: {
  columns: readonly string[];
  rows: readonly Record<string, string>[];
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- can be scrolled with the keyboard
    <section className={styles.scroll} tabIndex={0} aria-label="Sample rows">
      <table className={styles.samples}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(rows).map(([place, row]) => (
            <tr key={place}>
              {columns.map((name) => (
                <td key={name}>{row[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
