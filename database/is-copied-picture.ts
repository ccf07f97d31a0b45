/** Returns whether a stored picture is a copy listed in the table `pictures`. */
export function isCopiedPicture(name: string): boolean {
  return /^pictures-\d+\//.test(name);
}
