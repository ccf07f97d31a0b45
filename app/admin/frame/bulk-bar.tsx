import { type ReactNode, useId } from 'react';
import { Form } from 'react-router';
import { Button, type ButtonVariant } from '#app/ui/button.tsx';
import styles from './bulk-bar.module.css';
import { countOf, type Noun } from './describe-rows.ts';
import { QuestionDialog } from './question-dialog.tsx';
import type { RowSelection } from './use-row-selection.ts';

export interface BulkVerb {
  value: string;
  /** The verb and the noun, such as "Deactivate deals". */
  label: string;
  /** The question for confirmation, in which `{n}` is replaced with the number of rows. */
  question?: string;
  /** The effect of the action. */
  detail?: string;
  /** The style of the confirming button. */
  variant?: ButtonVariant;
}

/**
 * Bulk actions for selected rows. Checkboxes belong to its form by their `form` attribute. With
 * JavaScript the bar appears with the first selection and offers to select all matching rows.
 * Without JavaScript it is always shown.
 */
export function BulkBar({
  id,
  noun,
  total,
  selection,
  verbs,
  extra,
}: {
  id: string;
  noun: Noun;
  total: number;
  selection: RowSelection;
  verbs: readonly BulkVerb[];
  /** Controls that an action needs, such as a category select. */
  extra?: ReactNode;
}) {
  const dialogs = useId();
  const count = selection.isAll ? total : selection.count;
  return (
    <Form
      id={id}
      method="post"
      className={styles.bar}
      data-empty={selection.count === 0 || undefined}
      aria-label={`Selected ${noun.many}`}
      onSubmit={() => selection.setPage(false)}
    >
      <input type="hidden" name="intent" value="bulk" />
      {/* The form posts the number of rows shown, so that the server can refuse to change more. */}
      <input type="hidden" name="expected" value={count} />
      {selection.isAll ? <input type="hidden" name="all" value="1" /> : null}
      <p role="status" data-needs-js>
        {selection.count > 0 ? `${countOf(count, noun)} selected` : ''}
      </p>
      {selection.isWholePage ? null : (
        <button type="button" className={styles.page} onClick={() => selection.setPage(true)}>
          Select the whole page
        </button>
      )}
      {selection.isWholePage && total > selection.count ? (
        <button
          type="button"
          className={styles.all}
          aria-pressed={selection.isAll}
          onClick={() => selection.setAll(!selection.isAll)}
        >
          {selection.isAll
            ? `Only the ${countOf(selection.count, noun)} of this page`
            : `Select all ${total.toLocaleString('en-US')} matching`}
        </button>
      ) : null}
      <div className={styles.verbs}>
        {extra}
        {verbs.map(({ value, label, question, detail, variant = 'danger' }) =>
          question === undefined ? (
            <button key={value} type="submit" name="verb" value={value} className={styles.verb}>
              {label}
            </button>
          ) : (
            <div key={value}>
              <button
                type="button"
                className={styles.verb}
                commandfor={`${dialogs}-${value}`}
                command="show-modal"
              >
                {label}
              </button>
              <QuestionDialog
                id={`${dialogs}-${value}`}
                question={question.replace(
                  '{n}',
                  count > 0 ? countOf(count, noun) : `the selected ${noun.many}`,
                )}
                detail={detail && <p>{detail}</p>}
              >
                <Button
                  type="submit"
                  variant={variant}
                  name="verb"
                  value={value}
                  onClick={(event) => event.currentTarget.closest('dialog')?.close()}
                >
                  {label}
                </Button>
              </QuestionDialog>
            </div>
          ),
        )}
        <button
          type="button"
          className={styles.verb}
          data-needs-js
          onClick={() => selection.setPage(false)}
        >
          Clear
        </button>
      </div>
    </Form>
  );
}
