/** What the bell of a deal says, with words beside it or without. */
export function bellWords(title: string, isOn: boolean): { label: string; name: string } {
  return isOn
    ? { label: 'Price Alert set', name: `Change price alert: ${title}` }
    : { label: 'Price Alert', name: `Price alert: ${title}` };
}

/** Every bell of the deal on the page shows that its alert is set. */
export function setBells(deal: { id: number; title: string }): void {
  const { label, name } = bellWords(deal.title, true);
  for (const bell of document.querySelectorAll<HTMLElement>(`[data-bell="${deal.id}"]`)) {
    bell.dataset['on'] = 'true';
    if (bell.ariaLabel) bell.ariaLabel = name;
    const words = bell.querySelector('span');
    if (words) words.textContent = label;
  }
}
