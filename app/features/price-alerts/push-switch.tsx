import { useEffect, useState, useSyncExternalStore } from 'react';
import { pageChanged } from '#app/islands/page-changed.ts';
import { usePost } from '#app/islands/use-post.ts';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { Button } from '#app/ui/button.tsx';
import {
  describeSubscription,
  findSubscription,
  hashEndpoint,
  onPermissionChange,
  pushAbility,
  subscribe,
} from './browser-push.ts';
import { pushMessages } from './push-messages.ts';
import styles from './push-switch.module.css';

/**
 * Renders the switch for notifications in this browser. Permission is requested only when the
 * switch is pressed.
 */
export function PushSwitch({ publicKey }: { publicKey: string }) {
  const {
    send: post,
    isBusy: isPosting,
    answer,
  } = usePost<{ error?: string | null }>({
    error: pushMessages.failed,
  });
  const isHydrated = useIsHydrated();
  const [changed, setAbility] = useState<ReturnType<typeof pushAbility>>();
  const ability = changed ?? (isHydrated ? pushAbility() : 'possible');
  const listed = useSyncExternalStore(onPageChange, listedEndpoints, () => '');
  const [ownHash, setOwnHash] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const isOn = ownHash !== null && listed.split(' ').includes(ownHash);
  const isBusy = isAsking || isPosting;

  useEffect(() => onPermissionChange(() => setAbility(pushAbility())), []);

  useEffect(() => {
    if (ability !== 'possible') return;
    void findSubscription()
      .then((found) => (found ? hashEndpoint(found.endpoint) : null))
      .then(setOwnHash, () => {});
  }, [ability]);

  async function switchOn() {
    const subscription = await subscribe(publicKey);
    setAbility(pushAbility());
    if (!subscription) return;
    setOwnHash(await hashEndpoint(subscription.endpoint));
    await send({ intent: 'notify-browser', ...describeSubscription(subscription) });
  }
  async function switchOff() {
    const subscription = await findSubscription();
    await subscription?.unsubscribe();
    await send({ intent: 'forget-browser', endpoint: subscription?.endpoint ?? '' });
  }
  async function send(fields: Record<string, string>) {
    await post({ action: '/price-alerts', fields });
    // This module is imported on demand, so that the server can render the switch without it.
    const { showAgain } = await import('#app/islands/post-in-place.ts');
    await showAgain(); // Refreshes the page's list of browsers.
  }

  async function press() {
    setIsAsking(true);
    setHasFailed(false);
    try {
      await (isOn ? switchOff() : switchOn());
    } catch {
      setHasFailed(true);
    }
    setIsAsking(false);
  }

  if (ability === 'unsupported')
    return <p className="small readable">{pushMessages.unsupported}</p>;
  const problem =
    ability === 'denied'
      ? pushMessages.denied
      : hasFailed
        ? pushMessages.failed
        : (answer?.error ?? undefined);
  return (
    <div className={styles.switch}>
      <Button
        role="switch"
        aria-checked={isOn}
        isBusy={isBusy}
        disabled={ability === 'denied'}
        onClick={() => void press()}
      >
        Notify this browser
      </Button>
      <p role="status" className="small readable">
        {problem ?? (isOn ? pushMessages.on : pushMessages.off)}
      </p>
    </div>
  );
}

function onPageChange(act: () => void): () => void {
  document.addEventListener(pageChanged, act);
  return () => document.removeEventListener(pageChanged, act);
}

/** Returns the hashes of browsers on the page, which the server already notifies. */
function listedEndpoints(): string {
  const listed = [...document.querySelectorAll<HTMLElement>('[data-endpoint]')];
  return listed.map(({ dataset }) => dataset['endpoint']).join(' ');
}
