import { useEffect, useState } from 'react';
import { useFetcher } from 'react-router';
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

/** Switches the notifications of this browser. It asks for permission when it is pressed and never before. */
export function PushSwitch({
  publicKey,
  endpointHashes,
}: {
  publicKey: string;
  /** Of the browsers that the server tells already. */
  endpointHashes: readonly string[];
}) {
  const fetcher = useFetcher<{ error?: string }>();
  const [ability, setAbility] = useState(pushAbility);
  const [ownHash, setOwnHash] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const isOn = ownHash !== null && endpointHashes.includes(ownHash);
  const isBusy = isAsking || fetcher.state !== 'idle';

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
  const send = (fields: Record<string, string>) =>
    fetcher.submit(fields, { method: 'post', action: '/price-alerts' });

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
        : fetcher.data?.error;
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
