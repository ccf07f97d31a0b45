import { data } from 'react-router';
import type { Route } from './+types/preferences-page';
import { readNewsletterLink } from '#app/features/newsletter/follow-newsletter-link.server.ts';
import {
  type Preferences,
  readPreferences,
  savePreferences,
} from '#app/features/newsletter/preferences.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { DeadLinkPanel } from '#app/ui/dead-link-panel.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import styles from './preferences-page.module.css';

/**
 * The preferences of a newsletter's reader, who follows an emailed link or comes from the account.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const link = readNewsletterLink(new URL(request.url).searchParams);
  const preferences = link && (await readPreferences(appServices(context).db, link));
  return data({ link: preferences && link, preferences }, { status: preferences ? 200 : 400 });
}

/** Stores the preferences, or unsubscribes from everything. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readFormBody(request);
  const link = readNewsletterLink(form);
  const idsOf = (name: string) => form.getAll(name).flatMap((typed) => parseRowId(typed) ?? []);
  const leavesAll = form.get('intent') === 'leave';
  const outcome =
    link === null
      ? ('invalid' as const)
      : await savePreferences(appServices(context).db, link, {
          lists: leavesAll ? [] : idsOf('list'),
          categories: idsOf('category'),
          stores: idsOf('store'),
          followsFavorites: form.get('favorites') !== null,
        });
  return data({ outcome }, { status: outcome === 'invalid' ? 400 : 200 });
}

export const meta = fixedMeta({
  path: '/newsletter/preferences',
  title: 'Choose what you get',
  description: 'Choose your newsletters.',
  isIndexed: false,
});

export default function PreferencesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { newsletterPath } = useSite();
  const { link, preferences } = loaderData;
  if (!link || !preferences) {
    return (
      <DeadLinkPanel
        actions={
          <a className={buttonClass({ variant: 'primary' })} href={newsletterPath}>
            Subscribe again
          </a>
        }
      >
        <p>This link is incomplete, or older than your last subscription.</p>
      </DeadLinkPanel>
    );
  }
  const keys = { email: link.email, token: link.token };
  if (!preferences.isActive) {
    return (
      <NarrowPage title="Choose what you get" intro={link.email}>
        <p role="status">You are not subscribed. You get no newsletters.</p>
        <a className={buttonClass({ variant: 'primary' })} href={newsletterPath}>
          Subscribe again
        </a>
      </NarrowPage>
    );
  }
  return (
    <NarrowPage title="Choose what you get" intro={link.email}>
      <FormNotice
        text={actionData?.outcome === 'saved' ? 'Your choices are saved.' : undefined}
        kind="success"
      />
      <form method="post" className={styles.form}>
        <HiddenFields fields={keys} />
        <Choices preferences={preferences} />
        <Button type="submit" variant="primary" isWide>
          Save choices
        </Button>
      </form>
      <form method="post">
        <HiddenFields fields={{ ...keys, intent: 'leave' }} />
        <Button type="submit" isWide>
          Unsubscribe from everything
        </Button>
      </form>
    </NarrowPage>
  );
}

function Choices({ preferences }: { preferences: Preferences }) {
  const { lists, categories, stores, followsFavorites } = preferences;
  return (
    <>
      <Group name="list" title="Newsletters" choices={lists} />
      <details className={styles.topics}>
        <summary>Topics</summary>
        <div className={styles.choices}>
          <p className="muted">
            Some newsletters go only to readers of a category or store. We store what you tick here,
            and nothing else.
          </p>
          <CheckField
            name="favorites"
            label="Include categories and stores of my favorites"
            defaultChecked={followsFavorites}
            hint="Only if this address has an account with saved deals."
          />
          <Group name="category" title="Categories" choices={categories} />
          <Group name="store" title="Stores" choices={stores} />
        </div>
      </details>
    </>
  );
}

function Group({
  name,
  title,
  choices,
}: {
  name: string;
  title: string;
  choices: Preferences['lists'];
}) {
  if (choices.length === 0) return null;
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {choices.map((choice) => (
        <CheckField
          key={choice.id}
          name={name}
          value={String(choice.id)}
          label={choice.name}
          defaultChecked={choice.isOn}
        />
      ))}
    </fieldset>
  );
}
