/** Returns whether a stored picture is a file of `pictures`. */
export function isCopiedPicture(name: string): boolean {
  return /^pictures-\d+\//.test(name);
}
