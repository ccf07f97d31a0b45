/** Messages of "Fetch from URL". */
export const offerMessages = {
  notAnAddress: 'Must be a valid URL',
  unreachable: (why: string) => `The page could not be read: ${why}.`,
  notAPage: (type: string) => `That address is not a web page but ${type}.`,
  nothingFound: 'The page has no title, picture or price that we can read.',
  otherCurrency: (theirs: string, ours: string) =>
    `Its price is in ${theirs}, but this site uses ${ours}, so the price was left out.`,
  filled: (names: readonly string[], host: string) =>
    names.length > 0
      ? `Filled in from ${host}: ${names.join(', ')}. Check it before you save.`
      : `${host} has nothing for the fields that are still empty.`,
} as const;
