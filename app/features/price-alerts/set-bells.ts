import type { AlertRule } from './alert-kind.ts';

/** Returns the label and the accessible name of a deal's bell. */
export function bellWords(title: string, isOn: boolean): { label: string; name: string } {
  return isOn
    ? { label: 'Price Alert set', name: `Change price alert: ${title}` }
    : { label: 'Price Alert', name: `Price alert: ${title}` };
}

/** Updates every bell of the deal on the page to its current alerts. */
export function setBells(deal: { id: number; title: string }, rules: AlertRule[]): void {
  const { label, name } = bellWords(deal.title, rules.length > 0);
  for (const bell of document.querySelectorAll<HTMLElement>(`[data-bell="${deal.id}"]`)) {
    bell.toggleAttribute('data-on', rules.length > 0);
    bell.dataset['props'] = JSON.stringify({ ...JSON.parse(bell.dataset['props'] ?? '{}'), rules });
    if (bell.ariaLabel) bell.ariaLabel = name;
    const words = bell.querySelector('span');
    if (words) words.textContent = label;
  }
}
