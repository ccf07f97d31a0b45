import { MarkdownField } from '#app/admin/editor/markdown-field.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { type EditFields, EditForm } from '#app/admin/frame/edit-form.tsx';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { PictureField } from '#app/admin/media/picture-field.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  type HomeSection,
  homeSectionLabels,
  homeSectionsOf,
  homeTitles,
  isOwnHome,
  longestHomeBlock,
  longestHomeTitle,
  titledSections,
  titleField,
} from '#app/features/site-settings/home-sections.ts';
import {
  settingsLabels,
  settingsSections,
  settingsTexts,
} from '#app/features/site-settings/settings-sections.ts';
import {
  readSettingsVersion,
  readSiteSettings,
} from '#app/features/site-settings/site-settings-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/home-sections-page';
import { actOnHome, homeScreen } from './act-on-home.server.ts';
import { tabHref } from './settings-tabs.ts';

/** The sections of the home page: their order, titles and the owner's block. */
export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'settings.read');
  const { db } = appServices(context);
  return readOrFail(context, 'home page', async () => {
    const settings = await readSiteSettings(db);
    const { content, pictureUrl } = settings.homeBlock;
    return {
      backTo: homeScreen,
      sections: homeSectionsOf(settings.homeSections),
      isOwn: isOwnHome(settings),
      isBlockEmpty: content === '' && pictureUrl === '',
      texts: settingsTexts('home', settings),
      version: await readSettingsVersion(db, settingsSections.home),
    };
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'settings.write');
  return actOnHome(await readPost(context, request), user);
}

export const meta = titled('Home page');

export default function HomeSectionsPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Home page" failure={loaderData} />;
  const { sections, isOwn, isBlockEmpty, texts, version, backTo } = loaderData;
  const preview = actionData && 'html' in actionData ? actionData : undefined;
  const outcome = actionData && 'form' in actionData ? actionData.form : undefined;
  const refused = actionData && 'ok' in actionData && !actionData.ok ? actionData : outcome;
  return (
    <div className="column gap-8">
      <AdminHeading title="Home page">
        The sections below the top of the page. <Link to={tabHref('words')}>Text at the top</Link>
      </AdminHeading>
      <section className="column gap-4" aria-labelledby="sections">
        <div className="bar spread">
          <h2 id="sections">Sections</h2>
          {isOwn ? (
            <ConfirmAct
              label="Restore the default"
              question="Restore the default home page?"
              detail="Every section is shown in the default order with its default title. Your own block is hidden, and its text is kept."
              fields={{ intent: 'reset' }}
            />
          ) : null}
        </div>
        <PlainTable
          page={sections.map((section, place) => ({ ...section, place }))}
          noun={{ one: 'section', many: 'sections' }}
          columns={columnsOf(sections.length, isBlockEmpty)}
          idOf={({ name }) => name}
          nameOf={({ name }) => homeSectionLabels[name]}
          empty={
            <MessagePanel icon="external" title="No sections">
              The home page shows only its top part.
            </MessagePanel>
          }
        />
      </section>
      <EditForm
        key={version}
        stored={preview?.values ?? texts}
        isUnsaved={preview !== undefined}
        outcome={refused}
        errorTitle="Error saving the home page"
        labels={settingsLabels.home}
        submitLabel="Save"
        cancelHref={backTo}
        version={Number(preview?.values['version'] ?? version)}
      >
        {(fields) => <HomeFields fields={fields} preview={preview?.html} />}
      </EditForm>
    </div>
  );
}

function HomeFields({ fields, preview }: { fields: EditFields; preview: string | undefined }) {
  const site = useSite();
  return (
    <>
      {/* Enter in a field submits the form's first button, which must be Save. */}
      <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true">
        Save
      </button>
      <FormSection title="Titles" hint="Leave a title blank for its default.">
        {titledSections.map((name) => (
          <TextField
            key={name}
            {...fields.of(titleField(name))}
            maxLength={longestHomeTitle}
            placeholder={homeTitles[name].replace('{name}', () => site.name)}
          />
        ))}
      </FormSection>
      <FormSection
        title="Your own block"
        hint="Shown at its place in the list above, unless it is hidden there."
        isSingle
      >
        <MarkdownField
          {...fields.of('content')}
          rows={8}
          hint={`Markdown, at most ${longestHomeBlock.toLocaleString('en-US')} characters.`}
          preview={preview}
        />
        <PictureField
          {...fields.of('pictureUrl')}
          alt=""
          hint="From the media library. Optional."
        />
        <TextField
          {...fields.of('pictureAlt')}
          maxLength={200}
          hint="What the picture shows, for people who can’t see it."
        />
      </FormSection>
    </>
  );
}

type Row = HomeSection & { place: number };

function columnsOf(count: number, isBlockEmpty: boolean): PlainColumn<Row>[] {
  return [
    { label: 'Section', cell: ({ name }) => homeSectionLabels[name] },
    {
      label: 'State',
      cell: ({ name, isOn }) => {
        if (!isOn) return <StatusPill variant="plain">Hidden</StatusPill>;
        return name === 'own' && isBlockEmpty ? (
          <StatusPill variant="warn">Empty</StatusPill>
        ) : (
          <StatusPill variant="good">Shown</StatusPill>
        );
      },
    },
    {
      label: 'Action',
      cell: ({ name, isOn, place }) => {
        const fields = { name, place: String(place) };
        const label = homeSectionLabels[name];
        return (
          <div className="row gap-2">
            <PostButton
              fields={{ ...fields, intent: 'up' }}
              disabled={place === 0}
              aria-label={`Move ${label} up`}
            >
              Up
            </PostButton>
            <PostButton
              fields={{ ...fields, intent: 'down' }}
              disabled={place === count - 1}
              aria-label={`Move ${label} down`}
            >
              Down
            </PostButton>
            <PostButton
              fields={{ ...fields, intent: isOn ? 'hide' : 'show' }}
              variant="quiet"
              aria-label={`${isOn ? 'Hide' : 'Show'} ${label}`}
            >
              {isOn ? 'Hide' : 'Show'}
            </PostButton>
          </div>
        );
      },
    },
  ];
}
