import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { assert, array, constantFrom, property } from '#test/fast-check.ts';
import { dismissToast, letToastLeave, onToasts, presentToasts, showToast } from './show-toast.ts';

const texts = () => presentToasts().map((toast) => toast.text);
/** As the region does with each toast that is new on the page. */
const letAllLeave = () => presentToasts().map((toast) => letToastLeave(toast));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const { id } of presentToasts()) dismissToast(id);
  vi.useRealTimers();
});

describe('a toast', () => {
  test('leaves by itself after six seconds, and not a moment before', () => {
    showToast('Link copied to clipboard!');
    letAllLeave();
    vi.advanceTimersByTime(5_999);
    expect(texts()).toEqual(['Link copied to clipboard!']);
    vi.advanceTimersByTime(1);
    expect(texts()).toEqual([]);
  });

  test('that is an error stays until somebody dismisses it', () => {
    showToast('Failed to create price alert', { kind: 'error' });
    expect(letAllLeave()).toEqual([undefined]);
    vi.advanceTimersByTime(24 * 3_600_000);
    expect(texts()).toEqual(['Failed to create price alert']);
    dismissToast(presentToasts()[0]?.id ?? 0);
    expect(texts()).toEqual([]);
  });

  test('stands as long as its sender asked, for an act such as Undo', () => {
    const onAct = vi.fn<() => void>();
    showToast('Deleted', { shownForMs: 10_000, act: { label: 'Undo', onAct } });
    letAllLeave();
    vi.advanceTimersByTime(9_999);
    expect(presentToasts()[0]?.act?.label).toBe('Undo');
    vi.advanceTimersByTime(1);
    expect(texts()).toEqual([]);
    expect(onAct).not.toHaveBeenCalled();
  });

  test('that left the page before its time takes its timer along', () => {
    showToast('Saved');
    const [stop] = letAllLeave();
    stop?.();
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(['Saved']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('said again is one message, whose time begins anew', () => {
    showToast('Saved');
    const [stop] = letAllLeave();
    vi.advanceTimersByTime(5_000);
    showToast('Saved');
    stop?.(); // the region sees another toast, with another id
    letAllLeave();
    expect(texts()).toEqual(['Saved']);
    vi.advanceTimersByTime(5_999);
    expect(texts()).toEqual(['Saved']);
    vi.advanceTimersByTime(1);
    expect(texts()).toEqual([]);
  });
});

describe('several toasts', () => {
  test('are at most three, the oldest leaving first', () => {
    for (const text of ['one', 'two', 'three', 'four']) showToast(text);
    expect(texts()).toEqual(['two', 'three', 'four']);
  });

  test('are dismissed one by one, and an unknown one is nobody', () => {
    showToast('one');
    showToast('two');
    dismissToast(-1);
    expect(texts()).toEqual(['one', 'two']);
    dismissToast(presentToasts()[0]?.id ?? 0);
    expect(texts()).toEqual(['two']);
  });

  test('are never more than three, never twice the same, whatever is said in whatever order', () => {
    const words = constantFrom('Saved', 'Deleted', 'Sent', 'Failed', 'Copied');
    assert(
      property(array(words, { minLength: 1, maxLength: 30 }), (said) => {
        for (const text of said) showToast(text);
        const shown = texts();
        expect(shown.length).toBeLessThanOrEqual(3);
        expect(new Set(shown).size).toBe(shown.length);
        expect(shown.at(-1)).toBe(said.at(-1));
        const ids = presentToasts().map((toast) => toast.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});

describe('whoever listens', () => {
  test('hears every change until they stop', () => {
    const listener = vi.fn<() => void>();
    const stop = onToasts(listener);
    showToast('one');
    expect(listener).toHaveBeenCalledTimes(1);
    dismissToast(presentToasts()[0]?.id ?? 0);
    expect(listener).toHaveBeenCalledTimes(2);
    stop();
    showToast('two');
    expect(listener).toHaveBeenCalledTimes(2);
  });

  test('sees the same list as long as nothing changes, so that the page does not draw for nothing', () => {
    showToast('one');
    expect(presentToasts()).toBe(presentToasts());
  });
});
