import { useEffect, useRef, useState } from 'react';
import { useFetchers, useSubmit } from 'react-router';
import { isCommand } from '#app/admin/frame/admin-keys.ts';
import type { Verdict } from '#app/features/products/judge-pair.server.ts';
import type { LastDecision, Suggestion } from '#app/features/products/suggestion-queue.server.ts';

/** Returns the id of a pair's element, regardless of the order of its deals. */
export function pairIdOf({ deals: [one, other] }: Pick<Suggestion, 'deals'>): string {
  return pairId(one.id, other.id);
}

function pairId(one: number, other: number): string {
  return `pair-${Math.min(one, other)}-${Math.max(one, other)}`;
}

/** The verdicts with their buttons and keys. */
export const choices: readonly { verdict: Verdict; label: string; key: string }[] = [
  { verdict: 'same', label: 'Same', key: 's' },
  { verdict: 'different', label: 'Different', key: 'd' },
  { verdict: 'variant', label: 'Variant', key: 'v' },
  { verdict: 'hide', label: 'Hide second', key: 'h' },
];

/**
 * The pairs on the screen, without those whose decision is being stored. A decision moves the focus
 * to the next pair at once. The keys act on the current pair.
 */
export function useMatchQueue(suggestions: readonly Suggestion[], last: LastDecision | null) {
  const submit = useSubmit();
  const sent = useSentPairs();
  const [wanted, setWanted] = useState<string | null>(null);
  const mustFocus = useRef(false);
  const decided = useRef<string[]>([]);
  const stored = useRef<Promise<unknown>>(Promise.resolve());
  const shown = suggestions.filter((one) => !sent.has(pairIdOf(one)));
  const current = shown.find((one) => pairIdOf(one) === wanted) ?? shown[0];
  const currentId = current && pairIdOf(current);

  const focusOn = (id: string) => {
    mustFocus.current = true;
    setWanted(id);
  };
  const post = (fields: Record<string, string | number>, fetcherKey: string) =>
    submit({ ...fields, 'in-place': 1 }, { method: 'post', navigate: false, fetcherKey });
  const decide = (suggestion: Suggestion, verdict: Verdict) => {
    if (verdict === 'same' && suggestion.isSameMerchant) return;
    const at = shown.indexOf(suggestion);
    const next = shown[at + 1] ?? shown[at - 1];
    if (next) focusOn(pairIdOf(next));
    const [one, other] = suggestion.deals;
    const fields = { intent: verdict, deal: one.id, other: other.id };
    decided.current.push(pairIdOf(suggestion));
    stored.current = Promise.all([stored.current, post(fields, pairIdOf(suggestion))]);
  };
  const step = (by: number) => {
    const next = shown[(current ? shown.indexOf(current) : 0) + by];
    if (next) focusOn(pairIdOf(next));
  };

  useEffect(() => {
    if (!mustFocus.current || wanted === null || wanted !== currentId) return;
    document.getElementById(wanted)?.focus();
  }, [wanted, currentId]);

  const undo = () => {
    const id = decided.current.pop() ?? (last && pairId(last.one, last.other));
    if (id === null) return;
    focusOn(id);
    // Only the last stored decision can be undone.
    stored.current = stored.current.then(() => post({ intent: 'undo' }, 'undo'));
  };

  usePairFocus(setWanted);
  useQueueKeys((key) => {
    const verdict = choices.find((choice) => choice.key === key)?.verdict;
    if (verdict && current) decide(current, verdict);
    else if (key === 'u') undo();
    else if (key === 'j' || key === 'ArrowDown' || key === 'ArrowRight') step(1);
    else if (key === 'k' || key === 'ArrowUp' || key === 'ArrowLeft') step(-1);
    else return false;
    return true;
  });

  return {
    shown,
    current,
    decide,
    undo,
    focusOn: (suggestion: Suggestion) => focusOn(pairIdOf(suggestion)),
  };
}

/** Returns the ids of the pairs whose decision is being stored. */
function useSentPairs(): ReadonlySet<string> {
  return new Set(
    useFetchers().flatMap(({ formData }) => {
      const [one, other] = [Number(formData?.get('deal')), Number(formData?.get('other'))];
      return one && other ? [pairId(one, other)] : [];
    }),
  );
}

/** Calls `found` with the id of the pair that contains the focus. */
function usePairFocus(found: (id: string) => void): void {
  useEffect(() => {
    const notice = ({ target }: FocusEvent) => {
      const pair = target instanceof Element ? target.closest('[id^=pair-]') : null;
      if (pair) found(pair.id);
    };
    document.addEventListener('focusin', notice);
    return () => document.removeEventListener('focusin', notice);
  }, [found]);
}

/** Calls `act` for each single-key shortcut. `act` returns whether it handled the key. */
function useQueueKeys(act: (key: string) => boolean): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.repeat || event.shiftKey || !isCommand(event)) return;
      if (latest.current(event.key)) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
