import { PictureField } from '#app/admin/media/picture-field.tsx';
import { EditDialog } from '#app/admin/frame/edit-dialog.tsx';
import type { EditFields } from '#app/admin/frame/edit-form.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { readRow } from '#app/admin/frame/row-editor.server.ts';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listCategories } from '#app/features/categories/category-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { slotKinds, slotPlaces } from '#app/features/slots/slot-kinds.ts';
import { slotMessages } from '#app/features/slots/slot-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { CheckField } from '#app/ui/check-field.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/edit-slot-page';
import { saveSlot, slotEditor, slotTexts } from './slot-editor.server.ts';

/** A dialog over the list with the form of a new or stored ad. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'settings.write');
  const { db } = appServices(context);
  const { row, backTo } = await readRow(request, context, slotEditor, params.id);
  const { timeZone } = await readSiteSettings(db);
  const categories = await listCategories(db);
  return {
    isAnnouncement: row?.kind === 'announcement',
    stored: row ? slotTexts(row, timeZone) : { is_on: 'on' },
    version: row?.version,
    categories: categories.map(({ id, name }) => ({ value: String(id), label: name })),
    backTo,
  };
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'settings.write');
  return saveSlot(request, context, params.id);
}

export const meta = titled('Edit Ad', 'New Ad');

const labels = {
  kind: 'Kind',
  place: 'Place',
  title: 'Title',
  text: 'Text',
  url: 'Link',
  picture_url: 'Picture',
  picture_alt: 'Alt text',
  category_id: 'Category',
  starts_at: 'Starts at',
  ends_at: 'Ends at',
  is_on: 'On',
};

export default function EditSlotPage({ loaderData, actionData }: Route.ComponentProps) {
  const { stored, version, categories, backTo, isAnnouncement } = loaderData;
  const isNew = version === undefined;
  const noun = isAnnouncement ? 'Announcement' : 'Ad';
  return (
    <EditDialog
      title={isNew ? 'New Ad' : `Edit ${noun}`}
      backTo={backTo}
      stored={stored}
      outcome={actionData}
      errorTitle={slotMessages.saveFailed}
      labels={labels}
      submitLabel={isNew ? 'Create Ad' : `Update ${noun}`}
      version={version}
    >
      {(fields) => (
        <>
          <ContentFields fields={fields} />
          <PlaceFields fields={fields} categories={categories} />
        </>
      )}
    </EditDialog>
  );
}

type Fields = EditFields<keyof typeof labels>;

function ContentFields({ fields }: { fields: Fields }) {
  return (
    <FormSection title="Content">
      <ChoiceField {...fields.of('kind')} options={optionsOf(slotKinds)} />
      <TextField {...fields.of('title')} required maxLength={120} />
      <FullWidth>
        <TextAreaField {...fields.of('text')} maxLength={500} rows={2} />
      </FullWidth>
      <FullWidth>
        <TextField
          {...fields.of('url')}
          inputMode="url"
          maxLength={2_048}
          hint="A path such as /newsletter, or a URL with https://. Ads need one."
        />
      </FullWidth>
      <PictureField {...fields.of('picture_url')} alt="" hint="From the media library. Optional." />
      <TextField
        {...fields.of('picture_alt')}
        maxLength={200}
        hint="What the picture shows, if title and text don’t say it."
      />
    </FormSection>
  );
}

function PlaceFields({
  fields,
  categories,
}: {
  fields: Fields;
  categories: { value: string; label: string }[];
}) {
  const { timeZone } = useSite();
  return (
    <FormSection title="Place and time" hint="Several at one place take turns of ten minutes each.">
      <ChoiceField {...fields.of('place')} options={optionsOf(slotPlaces)} />
      <ChoiceField
        {...fields.of('category_id')}
        options={[{ value: '', label: 'All categories' }, ...categories]}
        hint="For lists and deal pages only."
      />
      <TextField
        {...fields.of('starts_at')}
        type="datetime-local"
        hint={`Leave blank to start now. Time zone: ${timeZone}.`}
      />
      <TextField
        {...fields.of('ends_at')}
        type="datetime-local"
        hint={`Leave blank for no end. Time zone: ${timeZone}.`}
      />
      <CheckField {...fields.tick('is_on')} hint="If unticked, visitors never see it." />
    </FormSection>
  );
}
