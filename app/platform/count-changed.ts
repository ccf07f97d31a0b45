/** For a change of many rows that was confirmed when they were another number. */
export const countChanged = (noun: string) => (seen: number, now: number) =>
  `Nothing was changed: ${seen.toLocaleString('en-US')} ${noun} matched when you selected them, and ${now.toLocaleString('en-US')} do now. Check the list and try again.`;
