import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Challenge } from 'altcha-lib';
import { canSolveChallenges, solveChallenge } from './solve-challenge.ts';

/** A document with only a head. Its scripts load when the test says so. */
class ScriptStandIn extends EventTarget {
  src = '';
  async = false;
}

const challenge = { parameters: {}, signature: 's' } as unknown as Challenge;

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the widget of hCaptcha', () => {
  let scripts: ScriptStandIn[];
  let page: { hcaptcha?: object };
  let loadHcaptcha: () => Promise<unknown>;

  beforeEach(async () => {
    scripts = [];
    page = {};
    vi.stubGlobal('window', page);
    vi.stubGlobal('document', {
      createElement: () => new ScriptStandIn(),
      head: { append: (script: ScriptStandIn) => scripts.push(script) },
    });
    vi.resetModules(); // The module caches what it loaded.
    ({ loadHcaptcha } = await import('./hcaptcha-script.ts'));
  });

  test('loads hCaptcha from its own host once for all forms', async () => {
    const both = [loadHcaptcha(), loadHcaptcha()];
    expect(scripts).toHaveLength(1);
    expect(new URL(scripts[0]?.src ?? '').host).toBe('js.hcaptcha.com');
    expect(scripts[0]?.src).toContain('render=explicit');
    expect(scripts[0]?.async).toBe(true);
    page.hcaptcha = { render: () => 'w' };
    scripts[0]?.dispatchEvent(new Event('load'));
    expect(await Promise.all(both)).toEqual([page.hcaptcha, page.hcaptcha]);
    await loadHcaptcha();
    expect(scripts).toHaveLength(1);
  });

  test('requests hCaptcha again after a failed load', async () => {
    const first = loadHcaptcha();
    scripts[0]?.dispatchEvent(new Event('error'));
    await expect(first).rejects.toThrow('the widget could not be loaded');
    const second = loadHcaptcha();
    expect(scripts).toHaveLength(2);
    page.hcaptcha = {};
    scripts[1]?.dispatchEvent(new Event('load'));
    expect(await second).toBe(page.hcaptcha);
  });

  test('rejects if hCaptcha’s script ran but defined no widget', async () => {
    const loading = loadHcaptcha();
    scripts[0]?.dispatchEvent(new Event('load'));
    await expect(loading).rejects.toThrow('the widget did not start');
  });
});

describe('the puzzle in the browser', () => {
  let workers: WorkerStandIn[];
  class WorkerStandIn extends EventTarget {
    posted: unknown[] = [];
    isOver = false;
    constructor() {
      super();
      workers.push(this);
    }
    postMessage(message: unknown): void {
      this.posted.push(message);
    }
    terminate(): void {
      this.isOver = true;
    }
    answer(token: string): void {
      this.dispatchEvent(new MessageEvent('message', { data: token }));
    }
  }
  beforeEach(() => {
    workers = [];
    vi.stubGlobal('Worker', WorkerStandIn);
  });

  test('solves the puzzle in a worker that stops after its solution', async () => {
    const solving = solveChallenge(challenge, new AbortController().signal);
    expect(workers[0]?.posted).toEqual([challenge]);
    workers[0]?.answer('the-token');
    expect(await solving).toBe('the-token');
    expect(workers[0]?.isOver).toBe(true);
  });

  test('rejects without a solution of the puzzle', async () => {
    const solving = solveChallenge(challenge, new AbortController().signal);
    workers[0]?.answer('');
    await expect(solving).rejects.toThrow('no solution was found');
    expect(workers[0]?.isOver).toBe(true);
  });

  test('rejects if the puzzle’s worker does not start', async () => {
    const solving = solveChallenge(challenge, new AbortController().signal);
    workers[0]?.dispatchEvent(new Event('error'));
    await expect(solving).rejects.toThrow('the solver did not start');
  });

  test('stops the puzzle’s worker when the form is removed', async () => {
    const controller = new AbortController();
    const solving = solveChallenge(challenge, controller.signal);
    controller.abort(new Error('the form is gone'));
    await expect(solving).rejects.toThrow('the form is gone');
    expect(workers[0]?.isOver).toBe(true);
  });

  test('solves the puzzle only if the browser has Web Crypto and workers', () => {
    expect(canSolveChallenges()).toBe(true);
    vi.stubGlobal('crypto', {});
    expect(canSolveChallenges()).toBe(false);
    vi.unstubAllGlobals();
    vi.stubGlobal('Worker', undefined);
    expect(canSolveChallenges()).toBe(false);
  });
});
