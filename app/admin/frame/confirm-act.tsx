import { type ReactNode, useId } from 'react';
import { Button, type ButtonLook } from '#app/ui/button.tsx';
import { ActForm } from '#app/ui/act-form.tsx';
import { QuestionDialog } from './question-dialog.tsx';

/** A button that asks for confirmation in a dialog that names the thing. */
export function ConfirmAct({
  label,
  look = 'secondary',
  question,
  detail,
  confirmLabel = label,
  confirmLook = 'danger',
  fields,
  action,
  className,
}: {
  label: string;
  look?: ButtonLook;
  question: string;
  detail?: ReactNode;
  confirmLabel?: string;
  confirmLook?: ButtonLook;
  fields: Record<string, string>;
  /** The address that the form posts to, by default the current one. */
  action?: string;
  className?: string | undefined;
}) {
  const id = useId();
  return (
    <>
      <Button look={look} className={className} commandfor={id} command="show-modal">
        {label}
      </Button>
      <QuestionDialog id={id} question={question} detail={detail}>
        <ActForm
          fields={fields}
          action={action}
          onSubmit={(event) => event.currentTarget.closest('dialog')?.close()}
        >
          <Button type="submit" look={confirmLook}>
            {confirmLabel}
          </Button>
        </ActForm>
      </QuestionDialog>
    </>
  );
}
