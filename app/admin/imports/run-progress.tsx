import { type ReactNode, useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { RunPulse } from '#app/features/feeds/runs/import-log-queries.server.ts';
import { useAskAgain } from '#app/admin/frame/use-ask-again.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { describePulse } from './describe-pulse.ts';
import { isOver, phaseWords } from './import-words.ts';
import styles from './imports.module.css';

/** Shows what is in progress. Without JavaScript, the page reloads itself. */
function Progress({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.progress} aria-labelledby="progress">
      <noscript
        // Without JavaScript, the page reloads itself every few seconds.
        dangerouslySetInnerHTML={{ __html: '<meta http-equiv="refresh" content="3">' }}
      />
      <h2 id="progress">{title}</h2>
      {children}
    </section>
  );
}

/** A running import, updated by server-sent events. */
export function RunProgress({ runId, pulse: loaded }: { runId: number; pulse: RunPulse }) {
  const [heard, setHeard] = useState<RunPulse | null>(null);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const events = new EventSource(`/admin/imports/runs/${runId}/events`);
    events.addEventListener('message', (event) => {
      const pulse: RunPulse = JSON.parse(String(event.data));
      setHeard(pulse);
      if (!isOver(pulse.state)) return;
      events.close();
      void revalidate();
    });
    return () => events.close();
  }, [runId, revalidate]);

  const pulse = heard ?? loaded;
  const { part, facts } = describePulse(pulse);
  return (
    <Progress title={pulse.phase ? phaseWords[pulse.phase] : 'Waiting to start'}>
      <progress
        aria-label="Progress"
        max={100}
        value={part === null ? undefined : Math.round(part * 100)}
      />
      <p className={styles.facts}>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      <PostButton fields={{ intent: 'cancel' }} isBusy={pulse.wants_cancel}>
        {pulse.wants_cancel ? 'Stopping…' : 'Cancel'}
      </PostButton>
    </Progress>
  );
}

/** The progress of a large rollback; `counts` has the number of deals by result. */
export function RollbackProgress({
  left,
  counts,
}: {
  left: number;
  counts: Record<string, number>;
}) {
  useAskAgain(true);
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const total = done + left;
  return (
    <Progress title="Rolling back">
      <progress aria-label="Deals restored" max={total} value={done} />
      <p role="status">
        {`${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} deals. You can leave this page: the rollback continues.`}
      </p>
    </Progress>
  );
}
