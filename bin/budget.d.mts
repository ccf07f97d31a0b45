interface Budget {
  name: string;
  /** On two quiet cores. */
  seconds: number;
  phases: readonly string[];
  /** Kinds of proofs that run in these phases. */
  kinds?: readonly string[];
}

interface Compared {
  table: string[];
  warnings: string[];
  isTooMuch: boolean;
}

/** Seconds of the fixed piece of work on a quiet machine. */
export const quiet: number;

/** `lines` are those of the file that SPENT_TIME names. */
export function compare(lines: readonly object[], budgets?: readonly Budget[]): Compared;
