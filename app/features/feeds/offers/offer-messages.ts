/** The words of "Fetch from URL". */
export const offerMessages = {
  notAnAddress: 'Must be a valid URL',
  unreachable: (why: string) => `The page could not be read: ${why}.`,
  notAPage: (type: string) => `That address is not a web page but ${type}.`,
  nothingFound: 'The page names neither a title, a picture nor a price.',
  otherCurrency: (theirs: string, ours: string) =>
    `Its price is in ${theirs} and this site’s are in ${ours}, so it was left out.`,
  filled: (names: readonly string[], host: string) =>
    names.length > 0
      ? `Filled in from ${host}: ${names.join(', ')}. Look it over before you save.`
      : `${host} names nothing that was still empty.`,
} as const;
