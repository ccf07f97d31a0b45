/** The highest allowed ratio of unpacked to packed size. */
export const largestRatio = 100;
const ratioMattersFrom = 1024 * 1024;

/** Returns whether so few bytes unpack into so many that the data must be an attack. */
export function isBomb(unpacked: number, packed: number): boolean {
  return unpacked > ratioMattersFrom && unpacked > packed * largestRatio;
}
