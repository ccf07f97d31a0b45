interface Compared {
  table: string[];
  warnings: string[];
  isTooMuch: boolean;
}

/** `lines` are those of the file that SPENT_TIME names. */
export function compare(lines: readonly object[]): Compared;
