import { data } from 'react-router';
import type { FormOutcome } from './form-outcome.ts';

/** The form again, with what is wrong and all that was typed: 422, or 409 where somebody else saved meanwhile. */
export function refuseForm(outcome: Omit<FormOutcome, 'ok'>, status?: number) {
  return data<FormOutcome>(
    { ok: false, ...outcome },
    { status: status ?? (outcome.conflict ? 409 : 422) },
  );
}
