/** A result of a check by `deals doctor` or the dashboard. */
export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  says: string;
  /** The instructions to fix the problem. */
  mend?: string;
}

export function fine(name: string, says: string): Finding {
  return { name, state: 'ok', says };
}

export function warning(name: string, says: string, mend: string): Finding {
  return { name, state: 'warning', says, mend };
}

export function problem(name: string, says: string, mend: string): Finding {
  return { name, state: 'problem', says, mend };
}
