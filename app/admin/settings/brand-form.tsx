import { type ReactNode, useRef } from 'react';
import { Form, useNavigation } from 'react-router';
import { fontOptions } from '#app/features/site-settings/brand/site-fonts.ts';
import { settingsLabels } from '#app/features/site-settings/settings-sections.ts';
import { Button } from '#app/ui/button.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { FormSection, FullWidth } from '../frame/form-section.tsx';
import type { BrandOutcome, readBrand } from './act-on-brand.server.ts';
import styles from './brand-form.module.css';
import { BrandPreview } from './brand-preview.tsx';

const labels = settingsLabels.brand;
const hints: Record<string, string> = {
  logoUrl: 'Shown in place of the name. At most 900 KB; a wide one works best.',
  logoDarkUrl: 'Optional. Shown on dark pages in place of the logo.',
  iconUrl: 'Square, at least 180 × 180 pixels, or an SVG. All sizes are made from it.',
};

/**
 * The form of the brand, with a preview of what was entered. Nothing is published before it is
 * saved.
 */
export function BrandForm({
  brand,
  outcome,
  submitLabel,
  children,
}: {
  brand: Awaited<ReturnType<typeof readBrand>>;
  outcome: BrandOutcome | undefined;
  submitLabel: string;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const busyWith = useNavigation().formData?.get('intent');
  const values = outcome?.values ?? brand.texts;
  const errors = outcome?.errors ?? {};
  const isUnsaved = Object.entries(brand.texts).some(([name, text]) => values[name] !== text);
  return (
    <div className={styles.sides}>
      <div className={styles.side}>
        <Form
          ref={form}
          id="brand"
          method="post"
          encType="multipart/form-data"
          className={forms.stack}
          noValidate
        >
          <FormNotice kind="error" text={outcome?.message} />
          <input type="hidden" name="version" value={outcome?.version ?? brand.version} />
          <FormSection title="Logo" isSingle>
            <PictureFields name="logoUrl" values={values} error={errors['logoUrl']} />
            <PictureFields
              name="logoDarkUrl"
              values={values}
              error={errors['logoDarkUrl']}
              isDark
            />
          </FormSection>
          <FormSection title="Icon" isSingle>
            <PictureFields name="iconUrl" values={values} error={errors['iconUrl']} />
          </FormSection>
          <FormSection title="Color" isSingle>
            <AccentField value={values['accent'] ?? ''} error={errors['accent']} form={form} />
          </FormSection>
          <FormSection title="Font" isSingle>
            <ChoiceField
              label={labels['font'] ?? ''}
              name="font"
              options={fontOptions}
              defaultValue={values['font']}
              hint="On every page. Emails use each device’s own font."
              error={errors['font']}
            />
          </FormSection>
        </Form>
        <div className={forms.actions}>
          <Button
            form="brand"
            type="submit"
            name="intent"
            value="save"
            variant="primary"
            isBusy={busyWith === 'save'}
          >
            {busyWith === 'save' ? 'Saving...' : submitLabel}
          </Button>
          <Button
            form="brand"
            type="submit"
            name="intent"
            value="preview"
            isBusy={busyWith === 'preview'}
          >
            Preview
          </Button>
          {children}
        </div>
      </div>
      <BrandPreview
        siteName={brand.siteName}
        preview={outcome?.preview ?? brand.preview}
        isUnsaved={isUnsaved && outcome?.preview !== undefined}
      />
    </div>
  );
}

/** The fields of one picture: a file or a URL, and a checkbox to remove the current one. */
function PictureFields({
  name,
  values,
  error,
  isDark = false,
}: {
  name: string;
  values: Record<string, string>;
  error: string | undefined;
  isDark?: boolean;
}) {
  const url = values[name] ?? '';
  const label = labels[name] ?? name;
  return (
    <FullWidth>
      <div className={styles.picture}>
        <input type="hidden" name={name} value={url} />
        {url ? (
          <div className={`row gap-4 ${isDark ? styles.dark : ''}`}>
            <img src={url} alt={`The current ${label.toLowerCase()}`} height={44} />
            <label className="row gap-2">
              <input type="checkbox" name={`${name}Remove`} /> Remove
            </label>
          </div>
        ) : null}
        <TextField
          label={label}
          name={`${name}File`}
          type="file"
          accept="image/*"
          hint={hints[name]}
          error={error}
        />
        <details>
          <summary>Use a picture’s address</summary>
          <TextField
            label={`Address of the ${label.toLowerCase()}`}
            name={`${name}Address`}
            inputMode="url"
            defaultValue={values[`${name}Address`]}
          />
        </details>
      </div>
    </FullWidth>
  );
}

function AccentField({
  value,
  error,
  form,
}: {
  value: string;
  error: string | undefined;
  form: React.RefObject<HTMLFormElement | null>;
}) {
  const choose = (color: string) => {
    const field = form.current?.elements.namedItem('accent');
    if (field instanceof HTMLInputElement) field.value = color;
  };
  return (
    <TextField
      label={labels['accent'] ?? ''}
      name="accent"
      defaultValue={value}
      placeholder="#0b6650"
      hint="Links and buttons. Leave blank for the default. Too light or too dark a color is adjusted for each theme."
      error={error}
      after={
        <input
          type="color"
          className={styles.chooser}
          aria-label="Choose a color"
          data-needs-js
          defaultValue={value || '#0b6650'}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      }
    />
  );
}
