import { TypedAgainContext } from '#app/ui/typed-again.ts';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { AlertForm, type AlertFormProps } from './alert-form.tsx';
import { GuestAlertForm, type GuestAlertFormProps } from './guest-alert-form.tsx';

type DealAlertProps = Omit<AlertFormProps, 'rules' | 'error'> & {
  /** `null` if signed out. */
  rules: AlertFormProps['rules'] | null;
  /** The response to a form sent without JavaScript. */
  answer?: GuestAlertFormProps['answer'];
  /** The submitted values, if the form had an error. */
  typed?: Record<string, string[]> | undefined;
};

/** Shows the price alert dialog. */
export function AlertDialog(alert: DealAlertProps & { onClose: () => void }) {
  return (
    <ModalDialog
      title={alert.rules?.length ? 'Edit Price Alert' : 'Create Price Alert'}
      onClose={alert.onClose}
    >
      <DealAlertForm {...alert} />
    </ModalDialog>
  );
}

/** Renders the form for an account, or the one that asks for an address. */
export function DealAlertForm({ rules, answer = null, typed, ...form }: DealAlertProps) {
  if (rules === null) return <GuestAlertForm {...form} answer={answer} />;
  const error = answer && !answer.ok ? answer.message : null;
  return (
    <TypedAgainContext value={typed ?? null}>
      <AlertForm {...form} rules={rules} error={error} />
    </TypedAgainContext>
  );
}
