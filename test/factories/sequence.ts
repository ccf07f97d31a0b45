let last = 0;

/** Returns 1, 2, 3 and so on, so that the defaults of two rows of one process differ. */
export function nextNumber(): number {
  last += 1;
  return last;
}
