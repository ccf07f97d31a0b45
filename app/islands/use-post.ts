import { useRef, useState } from 'react';
import { textsOf } from './texts-of.ts';

/** A form, or another post with its URL and fields. */
type Sent = HTMLFormElement | { action: string; fields: Record<string, string> };

export interface Post<Answer> {
  /** Sends the post. A call while a post is in progress does nothing. */
  send: (sent: Sent) => Promise<void>;
  isBusy: boolean;
  /** The response to the last post. Each response is a new object, so that effects run. */
  answer: Answer | null;
}

/**
 * Posts to an action and returns its response, in an island as on a page with a router. A redirect
 * is followed as a new page. `lost` replaces a response that never arrived, or that was not the
 * action's.
 */
export function usePost<Answer extends object>(lost: Answer): Post<Answer> {
  const [isBusy, setIsBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const isUnderWay = useRef(false);

  function setUnderWay(isNow: boolean): void {
    isUnderWay.current = isNow;
    setIsBusy(isNow);
  }

  async function send(sent: Sent): Promise<void> {
    if (isUnderWay.current) return;
    setUnderWay(true);
    const heard = await post<Answer>(sent);
    if (heard === 'leads-on') {
      // The form stays busy until its page is left. If the browser restores the page from its
      // cache, the form is usable again.
      addEventListener('pageshow', () => setUnderWay(false), { once: true });
      return;
    }
    setUnderWay(false);
    setAnswer(heard ?? { ...lost });
  }

  return { send, isBusy, answer };
}

async function post<Answer>(sent: Sent): Promise<Answer | 'leads-on' | null> {
  try {
    const response = await fetch(sent.action, {
      method: 'POST',
      body: sent instanceof HTMLFormElement ? textsOf(sent) : new URLSearchParams(sent.fields),
      headers: { accept: 'application/json' },
    });
    if (response.redirected) {
      location.assign(response.url);
      return 'leads-on';
    }
    return (await response.json()) as Answer | null;
  } catch {
    return null;
  }
}
