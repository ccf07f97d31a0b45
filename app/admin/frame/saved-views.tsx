import { type ReactNode, useId } from 'react';
import { Form } from 'react-router';
import type { SavedView } from '#app/features/desk/saved-views.server.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { AdminIcon } from './admin-icon.tsx';
import { ConfirmAct } from './confirm-act.tsx';
import { QuestionDialog } from './question-dialog.tsx';
import { menuItemClass, RowMenu } from './row-menu.tsx';
import styles from './saved-views.module.css';

/** A view with its address, as the list writes it now. */
export type ShownView = Omit<SavedView, 'search'> & { href: string };

/** A list's tools: saving the current view and choosing columns. */
export function ViewTools({
  views,
  here,
  columns,
}: {
  views: readonly ShownView[];
  /** The current address, and the search that a view of it would have. */
  here: { href: string; search: string };
  columns: { options: readonly { name: string; label: string }[]; shown: readonly string[] };
}) {
  const own = views.find(({ href, isOwn }) => isOwn && href === here.href);
  return (
    <>
      {own ? <OwnView view={own} /> : null}
      {own ? null : (
        <NameDialog
          opens={<>Save view…</>}
          title="Save this view"
          detail="Includes the current filters, order and columns."
          fields={{ intent: 'save-view', search: here.search }}
          submit="Save view"
        />
      )}
      <ColumnPicker {...columns} />
    </>
  );
}

function OwnView({ view: { id, name, isShared } }: { view: ShownView }) {
  return (
    <RowMenu label={`the view ${name}`}>
      <NameDialog
        opens={<>Rename or share…</>}
        className={menuItemClass}
        title={`The view “${name}”`}
        fields={{ intent: 'change-view', id }}
        name={name}
        isShared={isShared}
        submit="Save"
      />
      <ConfirmAct
        label="Delete view"
        className={menuItemClass}
        question={`Delete the view “${name}”?`}
        detail={
          <p>
            Your deals are not affected.
            {isShared ? 'Your colleagues lose this view, too.' : ''}
          </p>
        }
        fields={{ intent: 'delete-view', id: String(id) }}
      />
    </RowMenu>
  );
}

function NameDialog({
  opens,
  className = styles.tool,
  title,
  detail,
  fields,
  name = '',
  isShared = false,
  submit,
}: {
  opens: ReactNode;
  className?: string | undefined;
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
      <button type="button" className={className} commandfor={id} command="show-modal">
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

/**
 * A column picker for the current user. The picker is a popover, so that it opens without
 * JavaScript.
 */
function ColumnPicker({
  options,
  shown,
}: {
  options: readonly { name: string; label: string }[];
  shown: readonly string[];
}) {
  const id = useId();
  return (
    <>
      <button type="button" className={styles.tool} popoverTarget={id}>
        <AdminIcon name="settings" size={16} />
        Columns
      </button>
      <div id={id} popover="auto" className={styles.picker}>
        {/* The picker is remounted for other columns, so that the boxes match what is shown. */}
        <Form
          method="post"
          key={shown.join(' ')}
          className={styles.form}
          onSubmit={(event) => event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
        >
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
      </div>
    </>
  );
}
