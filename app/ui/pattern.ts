/** A copy of something that stands hidden in the page, for scripts to show without any component. */
export function fromPattern(name: string): HTMLElement | undefined {
  const pattern = document.querySelector<HTMLElement>(`[data-pattern="${name}"][hidden]`);
  const copy = pattern?.cloneNode(true) as HTMLElement | undefined;
  if (copy) copy.hidden = false;
  return copy;
}
