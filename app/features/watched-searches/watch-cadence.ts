export const cadenceLabels = {
  at_once: 'Right away',
  daily: 'Once a day',
  weekly: 'Once a week',
};

/** The end of a sentence such as "We’ll email you …", by frequency. */
export const cadenceWords: Record<Cadence, string> = {
  at_once: 'as soon as something is new, at most once an hour',
  daily: 'when something is new, at most once a day',
  weekly: 'when something is new, at most once a week',
};

/** The end of the same sentence for a watched product. */
export const productWords: Record<Cadence, string> = {
  at_once: 'when a store’s price falls to that, at most once an hour',
  daily: 'when a store’s price falls to that, at most once a day',
  weekly: 'when a store’s price falls to that, at most once a week',
};

/** The frequency with which the email of a watched search may be sent. */
export type Cadence = keyof typeof cadenceLabels;
export const cadences = Object.keys(cadenceLabels).filter(isCadence);

export function isCadence(text: string): text is Cadence {
  return Object.hasOwn(cadenceLabels, text);
}

/** The minimum interval between two emails, in hours. */
export const hoursBetween: Record<Cadence, number> = { at_once: 1, daily: 24, weekly: 7 * 24 };
