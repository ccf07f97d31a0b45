/** Rounds bytes up to whole megabytes: `1,234 MB`. */
export function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20).toLocaleString('en-US')} MB`;
}
