const fields =
  'input:not([type=hidden], [type=submit], :disabled), select:not(:disabled), textarea:not(:disabled), [contenteditable=true]';
// Submit buttons are excluded, since submitting confirms the dialog's question.
const choices = 'a[href], button:not([type=submit], [data-closes-dialog], :disabled)';

/**
 * Focuses the first field of a dialog that opens, or a report of errors above its fields. A dialog
 * without fields asks a question, so its least destructive answer receives the focus.
 */
export function focusFirst(dialog: HTMLElement): void {
  for (const wanted of ['[role=alert][tabindex]', fields, choices]) {
    for (const found of dialog.querySelectorAll<HTMLElement>(wanted)) {
      if (!found.checkVisibility({ visibilityProperty: true })) continue;
      found.focus();
      if (document.activeElement === found) return;
    }
  }
}
