/**
 * Returns a copy of a hidden element of the page, so that scripts can show it without any
 * component.
 */
export function fromPattern(name: string): HTMLElement | undefined {
  const pattern = document.querySelector<HTMLElement>(`[data-pattern="${name}"][hidden]`);
  const copy = pattern?.cloneNode(true) as HTMLElement | undefined;
  if (copy) copy.hidden = false;
  return copy;
}
