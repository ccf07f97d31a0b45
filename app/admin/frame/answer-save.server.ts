import { redirectWithFlash } from './flash.server.ts';
import type { Context } from './read-or-fail.server.ts';
import { refuseForm } from './form-outcome.ts';

type Texts = Record<string, string>;

/** Redirects to the list after a save, or shows the form again with its errors. */
export async function answerSave<Row extends { version: number }, Reason extends string>(
  context: Context,
  saved: { ok: true } | { ok: false; reason: Reason; current?: Row },
  {
    values,
    backTo,
    words,
    textsOf,
    errors,
  }: {
    /** The submitted values. */
    values: Texts;
    backTo: string;
    words: { done: string; changedMeanwhile: string; goneWhileEdited: string };
    /** Returns a row's form values as text. */
    textsOf: (row: Row) => Texts | Promise<Texts>;
    /** Field errors for reasons other than a conflict or a missing row. */
    errors: Record<Exclude<Reason, 'changed-meanwhile' | 'not-found'>, Texts>;
  },
) {
  if (saved.ok) return redirectWithFlash(context, backTo, words.done);
  if (saved.current) {
    const { version } = saved.current;
    const conflict = { version, current: await textsOf(saved.current) };
    return refuseForm({ values, conflict, message: words.changedMeanwhile });
  }
  if (saved.reason === 'not-found') {
    return refuseForm({ values, message: words.goneWhileEdited }, 404);
  }
  const byReason: Partial<Record<string, Texts>> = errors;
  return refuseForm({ values, errors: byReason[saved.reason] });
}
