import { type ReactNode, useId } from 'react';
import { Button, type ButtonVariant } from '#app/ui/button.tsx';
import { ActForm } from '#app/ui/act-form.tsx';
import { QuestionDialog } from './question-dialog.tsx';

/** A button that asks for confirmation in a dialog naming the affected row. */
export function ConfirmAct({
  label,
  variant = 'secondary',
  question,
  detail,
  confirmLabel = label,
  confirmVariant = 'danger',
  fields,
  action,
  className,
}: {
  label: string;
  variant?: Exclude<ButtonVariant, 'danger'>;
  question: string;
  detail?: ReactNode;
  confirmLabel?: string;
  confirmVariant?: ButtonVariant;
  fields: Record<string, string>;
  /** The URL that the form posts to, by default the current one. */
  action?: string;
  className?: string | undefined;
}) {
  const id = useId();
  return (
    <>
      <Button variant={variant} className={className} commandfor={id} command="show-modal">
        {label}
      </Button>
      <QuestionDialog id={id} question={question} detail={detail}>
        <ActForm
          fields={fields}
          action={action}
          onSubmit={(event) => event.currentTarget.closest('dialog')?.close()}
        >
          <Button type="submit" variant={confirmVariant}>
            {confirmLabel}
          </Button>
        </ActForm>
      </QuestionDialog>
    </>
  );
}
