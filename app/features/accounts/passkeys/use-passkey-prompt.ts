import { useState } from 'react';
import { passkeyProblem } from './browser-passkeys.ts';

/** Returns the state of the browser's passkey prompt: whether it is open, and the last error. */
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
