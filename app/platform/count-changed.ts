/** Returns the message for a bulk change if the number of rows differs from the confirmed one. */
export const countChanged = (noun: string) => (seen: number, now: number) =>
  `Nothing was changed: ${seen.toLocaleString('en-US')} ${noun} matched when you selected them, and ${now.toLocaleString('en-US')} do now. Check the list and try again.`;
