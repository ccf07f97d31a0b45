export const cadenceLabels = {
  at_once: 'At once',
  daily: 'Once a day',
  weekly: 'Once a week',
};

/** "We write to you …" */
export const cadenceWords: Record<Cadence, string> = {
  at_once: 'as soon as something is new, at most once an hour',
  daily: 'when something is new, at most once a day',
  weekly: 'when something is new, at most once a week',
};

/** How often the mail of a watched search may come. */
export type Cadence = keyof typeof cadenceLabels;
export const cadences = Object.keys(cadenceLabels).filter(isCadence);

export function isCadence(text: string): text is Cadence {
  return Object.hasOwn(cadenceLabels, text);
}

/** Never more often than so, in hours. */
export const hoursBetween: Record<Cadence, number> = { at_once: 1, daily: 24, weekly: 7 * 24 };
