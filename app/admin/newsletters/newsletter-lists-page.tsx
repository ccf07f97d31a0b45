import { data, Form } from 'react-router';
import type { Route } from './+types/newsletter-lists-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { isDigestOn } from '#app/features/newsletter/digest-content.ts';
import { listMessages } from '#app/features/newsletter/list-messages.ts';
import {
  addList,
  changeList,
  listManagedLists,
  type ManagedList,
  retireList,
} from '#app/features/newsletter/newsletter-lists.server.ts';
import { longestListName } from '#app/features/newsletter/list-input.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { HiddenFields, PostButton } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import forms from '#app/ui/form.module.css';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { titled } from '../frame/titled.ts';
import styles from './newsletters.module.css';

const path = '/admin/newsletters/lists';

/** The lists of newsletters, which readers choose among. */
export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  const { db } = appServices(context);
  const [settings, lists] = await Promise.all([readSiteSettings(db), listManagedLists(db)]);
  return {
    lists: lists.map((list) => ({
      ...list,
      isOff: list.automatic !== null && !isDigestOn(list.automatic, settings),
    })),
    isHeld: settings.postalAddress === '',
  };
}

/** Adds, changes or retires a list. */
export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'newsletter.manage').id;
  const { db, text, rowId, intent } = await readPost(context, request);
  const id = rowId('id') ?? 0;
  if (intent === 'retire' || intent === 'resume') {
    const isRetired = intent === 'retire';
    const done = await retireList(db, id, { isRetired, actor });
    if (!done.ok) return redirectWithError(context, path, listMessages.refused[done.reason]);
    return redirectWithFlash(
      context,
      path,
      isRetired ? listMessages.retired : listMessages.resumed,
    );
  }
  const isNew = intent === 'add';
  if (!isNew && intent !== 'save') return redirectWithError(context, path, listMessages.failed);
  const input = { name: text('name'), isJoined: text('isJoined') !== '', actor };
  const done = isNew ? await addList(db, input) : await changeList(db, id, input);
  if (!done.ok) {
    const error = listMessages.refused[done.reason];
    return data({ id: isNew ? 0 : id, error, name: input.name }, { status: 422 });
  }
  return redirectWithFlash(context, path, isNew ? listMessages.added : listMessages.saved);
}

export const meta = titled('Newsletter Lists');

export default function NewsletterListsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { lists, isHeld } = loaderData;
  const failed = (id: number) => (actionData?.id === id ? actionData : undefined);
  return (
    <div className="column gap-8">
      <AdminHeading title="Newsletter Lists">
        <Link to="/admin/newsletters">All newsletters</Link>
      </AdminHeading>
      <p>
        A newsletter goes to one list. Readers choose their lists with a link in every email and in
        their account.
      </p>
      {lists.map((list) => (
        <ListPanel key={list.id} list={list} failed={failed(list.id)} isHeld={isHeld} />
      ))}
      <section className={styles.panel} aria-labelledby="new-list">
        <h2 id="new-list">New list</h2>
        <ListForm fields={{ intent: 'add' }} failed={failed(0)} label="Add list" isJoined={false} />
        <p className="small anywhere">Current subscribers get it only if they choose it.</p>
      </section>
    </div>
  );
}

type Failed = { error: string; name: string } | undefined;

function ListPanel({
  list,
  failed,
  isHeld,
}: {
  list: ManagedList & { isOff: boolean };
  failed: Failed;
  /** Whether no email is sent because there is no postal address. */
  isHeld: boolean;
}) {
  const { id, name, automatic, isJoined, retiredAt, subscribers, isOff } = list;
  const heading = `list-${id}`;
  return (
    <section className={styles.panel} aria-labelledby={heading}>
      <h2 id={heading}>{retiredAt ? `${name} (retired)` : name}</h2>
      <p className="small anywhere">
        {countNoun(subscribers, 'subscriber')}.{' '}
        {automatic === null ? null : `${contents[automatic]}${delay(isOff, isHeld)}.`}{' '}
        {retiredAt ? 'It gets no newsletters, and readers no longer see it.' : null}
      </p>
      {retiredAt ? null : (
        <ListForm
          key={`${name} ${isJoined}`}
          fields={{ intent: 'save', id }}
          failed={failed}
          name={name}
          label="Save list"
          isJoined={isJoined}
        />
      )}
      {automatic !== null ? (
        <Link to="/admin/settings?section=newsletter">
          {automatic === 'weekly' ? 'Turn the digest on or off' : 'Turn hot deals on or off'}
        </Link>
      ) : retiredAt ? (
        <PostButton fields={{ intent: 'resume', id }}>Use again</PostButton>
      ) : (
        <PostButton variant="quiet" fields={{ intent: 'retire', id }}>
          Retire list
        </PostButton>
      )}
    </section>
  );
}

const contents = {
  weekly: 'Gets the weekly digest',
  hot: 'Gets the day’s real lows, at most one email a day',
} as const;

function delay(isOff: boolean, isHeld: boolean): string {
  if (isOff) return ', which is turned off';
  return isHeld ? ', once the site has a postal address' : '';
}

function ListForm({
  fields,
  failed,
  name = '',
  label,
  isJoined,
}: {
  fields: Record<string, string | number>;
  failed: Failed;
  name?: string;
  label: string;
  isJoined: boolean;
}) {
  return (
    <Form method="post" className={forms.stack}>
      <HiddenFields fields={fields} />
      <TextField
        label="Name"
        name="name"
        required
        maxLength={longestListName}
        defaultValue={failed?.name ?? name}
        error={failed?.error}
        hint="Readers see it."
      />
      <CheckField
        name="isJoined"
        label="Add new subscribers to this list"
        defaultChecked={isJoined}
      />
      <div>
        <Button type="submit">{label}</Button>
      </div>
    </Form>
  );
}
