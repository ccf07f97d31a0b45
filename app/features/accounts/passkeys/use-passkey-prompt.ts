import { useState } from 'react';
import { passkeyProblem } from './browser-passkeys.ts';

/** State of a button that opens the browser's own prompt: whether it is open, and why the last attempt failed. */
export function usePasskeyPrompt() {
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function ask(prompt: () => Promise<void>): Promise<void> {
    setIsAsking(true);
    setProblem(undefined);
    try {
      await prompt();
    } catch (failure) {
      setProblem(passkeyProblem(failure));
    } finally {
      setIsAsking(false);
    }
  }

  return { isAsking, problem, ask };
}
