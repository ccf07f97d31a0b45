import { Form } from 'react-router';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import type { RunDetail } from '#app/features/feeds/runs/import-log-queries.server.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { isOver } from './import-words.ts';
import forms from '#app/ui/form.module.css';
import styles from './imports.module.css';

type Run = Omit<RunDetail, 'preview' | 'error' | 'rehearsal'>;

/** The actions available in the run's current state. */
export function RunActs({ run, disk }: { run: Run; disk: string | null }) {
  const isIn = run.state === 'done' || run.state === 'asking';
  if (!isOver(run.state)) return null;
  return (
    <>
      {run.state === 'asking' && !run.is_dry_run ? <EndingQuestion run={run} /> : null}
      {run.is_dry_run && isIn && run.feed_source_id !== null ? (
        <ImportForm run={run} disk={disk} />
      ) : null}
      <div className="bar gap-3">
        {run.is_dry_run ? null : (
          <ButtonLink to={`/admin/imports/runs/${run.id}/report`} isDocument>
            Download report
          </ButtonLink>
        )}
        {run.feed_source_id === null ? null : (
          <ButtonLink to={`/admin/imports/sources/${run.feed_source_id}`}>Source</ButtonLink>
        )}
        {run.undoable > 0 ? (
          <ConfirmAct
            label={run.rollback ? 'Roll back the rest' : 'Roll back'}
            question={
              run.rollback
                ? `Roll back the rest of import ${run.id}?`
                : `Roll back import ${run.id}?`
            }
            detail={
              <p>
                {run.undoable.toLocaleString('en-US')} deals are restored to their earlier prices,
                texts and end dates. New deals are removed, or hidden if someone saved them. Deals
                changed since then are kept and can be retried. The price history is kept, and the
                source is paused.
              </p>
            }
            confirmLabel="Roll back"
            fields={{ intent: 'roll-back' }}
          />
        ) : null}
      </div>
    </>
  );
}

function EndingQuestion({ run }: { run: Run }) {
  return (
    <section className={styles.question} aria-labelledby="question">
      <h2 id="question">End {run.waiting.toLocaleString('en-US')} deals?</h2>
      <p>
        The feed no longer lists them, and they are more than 30% of this source’s deals. The feed
        may be incomplete, so they are kept for now. Everything else has been imported.
      </p>
      <Form method="post" className="bar gap-3">
        <Button type="submit" name="intent" value="keep">
          Keep deals
        </Button>
        <Button type="submit" name="intent" value="end">
          End deals
        </Button>
      </Form>
    </section>
  );
}

function ImportForm({ run, disk }: { run: Run; disk: string | null }) {
  const asks = run.state === 'asking';
  return (
    <Form method="post" className={asks ? styles.question : `${forms.stack} ${styles.form}`}>
      <input type="hidden" name="intent" value="import" />
      {asks ? (
        <>
          <h2>{run.rows_ended.toLocaleString('en-US')} deals would end</h2>
          <p>
            The feed no longer lists them, and they are more than 30% of this source’s deals. If you
            don’t tick this, they are kept, and you can decide after the import.
          </p>
          <CheckField
            name="may_end_many"
            label={`End ${run.rows_ended.toLocaleString('en-US')} deals too`}
          />
        </>
      ) : (
        <p className={styles.lead}>Nothing has been changed yet.</p>
      )}
      {disk === null ? null : <p className={styles.lead}>{disk}</p>}
      <div className="bar gap-3">
        <Button type="submit" variant="primary">
          Run the import
        </Button>
        {run.source_content === 'coupons' ? null : <ColumnsLink run={run} />}
      </div>
    </Form>
  );
}

function ColumnsLink({ run }: { run: Run }) {
  return (
    <ButtonLink
      to={`/admin/imports/sources/${run.feed_source_id}/columns${
        run.file === null
          ? ''
          : `?${new URLSearchParams({ file: run.file, name: run.file_name ?? '' }).toString()}`
      }`}
    >
      Change columns
    </ButtonLink>
  );
}
