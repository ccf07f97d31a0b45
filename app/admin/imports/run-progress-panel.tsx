import { useEffect, useState } from 'react';
import { Form, useRevalidator } from 'react-router';
import type { RunPulse } from '#app/features/feeds/runs/import-log-queries.server.ts';
import { Button } from '#app/ui/button.tsx';
import { describePulse } from './describe-pulse.ts';
import { isOver, phaseWords } from './import-words.ts';
import styles from './imports.module.css';

/** A run as it runs. Events bring what moves; without script the page loads itself anew. */
export function RunProgressPanel({ runId, pulse: loaded }: { runId: number; pulse: RunPulse }) {
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
    <section className={styles.progress} aria-labelledby="progress">
      <noscript
        // A page that cannot be told of news asks for it.
        dangerouslySetInnerHTML={{ __html: '<meta http-equiv="refresh" content="3">' }}
      />
      <h2 id="progress">{pulse.phase ? phaseWords[pulse.phase] : 'Waiting for its turn'}</h2>
      <progress
        aria-label="Progress"
        max={100}
        {...(part === null ? {} : { value: Math.round(part * 100) })}
      />
      <p className={styles.facts}>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      <Form method="post">
        <input type="hidden" name="intent" value="cancel" />
        <Button type="submit" isBusy={pulse.wants_cancel}>
          {pulse.wants_cancel ? 'Stopping…' : 'Cancel'}
        </Button>
      </Form>
    </section>
  );
}
