let last = 0;

/** 1, 2, 3 …: makes the defaults of two rows of the same process differ. */
export function nextNumber(): number {
  last += 1;
  return last;
}
