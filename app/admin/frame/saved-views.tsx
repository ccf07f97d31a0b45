import { type ReactNode, useId } from 'react';
import { Form } from 'react-router';
import type { SavedView } from '#app/features/desk/saved-views.server.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { AdminIcon } from './admin-icon.tsx';
import { ConfirmAct } from './confirm-act.tsx';
import { QuestionDialog } from './question-dialog.tsx';
import styles from './saved-views.module.css';

/** A view with its URL in the list's current form. */
export type ShownView = Omit<SavedView, 'search'> & { href: string };

/**
 * A list's saved views, the form that saves the current one, and the choice of columns, in one
 * popover that opens without JavaScript.
 */
export function ViewTools({
  views,
  here,
  columns,
}: {
  views: readonly ShownView[];
  /** The current URL, and the query that a view of it would store. */
  here: { href: string; search: string };
  columns: { options: readonly { name: string; label: string }[]; shown: readonly string[] };
}) {
  const id = useId();
  const current = views.find(({ href }) => href === here.href);
  const own = current?.isOwn ? current : undefined;
  return (
    <>
      <button
        type="button"
        className={styles.open}
        popoverTarget={id}
        aria-label={current ? `View: ${current.name}` : 'View and columns'}
      >
        <AdminIcon name="settings" size={16} />
        <span data-plain={!current || undefined}>{current ? current.name : 'View'}</span>
      </button>
      <div id={id} popover="auto" className={styles.picker}>
        {views.length > 0 ? (
          <nav aria-label="Views" className={styles.views}>
            {views.map((view) => (
              <Link
                key={view.id}
                to={view.href}
                className={styles.view}
                aria-current={view === current ? 'page' : undefined}
                onClick={closePopover}
              >
                {view.isOwn ? view.name : `${view.name} (${view.owner})`}
              </Link>
            ))}
          </nav>
        ) : null}
        {own ? (
          <OwnView view={own} />
        ) : (
          <NameDialog
            opens={<>Save view…</>}
            title="Save this view"
            detail="Includes the current filters, order and columns."
            fields={{ intent: 'save-view', search: here.search }}
            submit="Save view"
          />
        )}
        <Columns {...columns} />
      </div>
    </>
  );
}

const closePopover = (event: { currentTarget: HTMLElement }) =>
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();

function OwnView({ view: { id, name, isShared } }: { view: ShownView }) {
  return (
    <div className={styles.own}>
      <NameDialog
        opens={<>Rename or share…</>}
        title={`The view “${name}”`}
        fields={{ intent: 'change-view', id }}
        name={name}
        isShared={isShared}
        submit="Save"
      />
      <ConfirmAct
        label="Delete view"
        className={styles.tool}
        question={`Delete the view “${name}”?`}
        detail={
          <p>
            Your deals are not affected.
            {isShared ? ' Your colleagues lose this view, too.' : ''}
          </p>
        }
        fields={{ intent: 'delete-view', id: String(id) }}
      />
    </div>
  );
}

function NameDialog({
  opens,
  title,
  detail,
  fields,
  name = '',
  isShared = false,
  submit,
}: {
  opens: ReactNode;
  title: string;
  detail?: string;
  fields: Record<string, string | number>;
  name?: string;
  isShared?: boolean;
  submit: string;
}) {
  const id = useId();
  return (
    <>
      <button type="button" className={styles.tool} commandfor={id} command="show-modal">
        {opens}
      </button>
      <QuestionDialog
        id={id}
        question={title}
        detail={
          <Form
            method="post"
            id={`${id}-form`}
            className={styles.form}
            onSubmit={({ currentTarget }) => {
              currentTarget.closest('dialog')?.close();
              // The button also closes the menu that opened it.
              currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
            }}
          >
            {detail ? <p>{detail}</p> : null}
            <HiddenFields fields={fields} />
            <TextField
              label="Name"
              name="name"
              defaultValue={name}
              required
              maxLength={40}
              autoComplete="off"
            />
            <CheckField
              label="Share with all staff"
              name="shared"
              defaultChecked={isShared}
              hint="They see it in their list, and only you can change it."
            />
          </Form>
        }
      >
        <Button type="submit" variant="primary" form={`${id}-form`}>
          {submit}
        </Button>
      </QuestionDialog>
    </>
  );
}

/** A form in which users choose the columns that they see. */
function Columns({
  options,
  shown,
}: {
  options: readonly { name: string; label: string }[];
  shown: readonly string[];
}) {
  return (
    // The form is remounted when the columns change, so that its boxes match the table.
    <Form method="post" key={shown.join(' ')} className={styles.form} onSubmit={closePopover}>
      <fieldset>
        <legend>Your columns</legend>
        {options.map(({ name, label }) => (
          <CheckField
            key={name}
            label={label}
            name="columns"
            value={name}
            defaultChecked={shown.includes(name)}
          />
        ))}
      </fieldset>
      <div className="row gap-2">
        <Button type="submit" variant="primary" name="intent" value="columns">
          Apply
        </Button>
        <Button type="submit" variant="quiet" name="intent" value="usual-columns">
          Reset
        </Button>
      </div>
    </Form>
  );
}
