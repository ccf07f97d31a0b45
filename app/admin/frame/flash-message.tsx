import { useEffect } from 'react';
import { useSubmit } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/show-toast.ts';
import { ActForm } from '#app/ui/act-form.tsx';
import type { Flash } from './flash.server.ts';
import styles from './flash-message.module.css';

const undoMs = 10_000;

/** Shows the last form's outcome as a toast, or on the page itself without JavaScript. */
export function FlashMessage({ flash }: { flash: Flash | null }) {
  const submit = useSubmit();

  useEffect(() => {
    if (!flash) return;
    const { text, kind, undo } = flash;
    const act = undo && {
      label: undo.label,
      onAct: () => void submit(undo.fields, { method: 'post', action: undo.action }),
    };
    showToast(text, { kind, ...(act && { act, shownForMs: undoMs }) });
  }, [flash, submit]);

  if (!flash) return null;
  return (
    <div data-without-js className={styles.message} data-kind={flash.kind}>
      <p role={flash.kind === 'error' ? 'alert' : 'status'}>{flash.text}</p>
      {flash.undo ? (
        <ActForm fields={flash.undo.fields} action={flash.undo.action}>
          <Button type="submit">{flash.undo.label}</Button>
        </ActForm>
      ) : null}
    </div>
  );
}
