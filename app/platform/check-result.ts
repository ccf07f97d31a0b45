/** A result of a check by `deals doctor` or the dashboard. */
export interface CheckResult {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  detail: string;
  /** The instructions to fix the problem. */
  fix?: string;
}

export function fine(name: string, detail: string): CheckResult {
  return { name, state: 'ok', detail };
}

export function warning(name: string, detail: string, fix: string): CheckResult {
  return { name, state: 'warning', detail, fix };
}

export function problem(name: string, detail: string, fix: string): CheckResult {
  return { name, state: 'problem', detail, fix };
}
