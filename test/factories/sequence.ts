let last = 0;

/** Returns 1, 2, 3 and so on, so that default values of rows differ within a process. */
export function nextNumber(): number {
  last += 1;
  return last;
}
