/** Sets a control's value and fires its events, as if it had been typed. */
export function putValue(form: HTMLFormElement | null, name: string, value: string): void {
  const control = form?.elements.namedItem(name);
  if (control instanceof HTMLInputElement && control.type === 'checkbox') {
    if (control.checked !== (value !== '')) control.click();
    return;
  }
  if (
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement
  ) {
    const { set } =
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as object, 'value') ?? {};
    set?.call(control, value);
    control.dispatchEvent(new Event('input', { bubbles: true }));
    control.dispatchEvent(new Event('change', { bubbles: true }));
  }
}
