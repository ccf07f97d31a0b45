import { Form, Link } from 'react-router';
import type { FirstStep } from '#app/features/desk/first-steps.ts';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './dashboard-page.module.css';

/** The end of setting up: what is left, until it is done or put away. */
export function Checklist({ steps }: { steps: readonly FirstStep[] }) {
  if (steps.length === 0) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section className={styles.panel} aria-labelledby="checklist">
      <div className={styles.checklistHead}>
        <h2 id="checklist">
          Getting started: {done} of {steps.length} done
        </h2>
        <Form method="post">
          <input type="hidden" name="intent" value="dismiss-checklist" />
          <Button type="submit" className={styles.dismiss}>
            Dismiss
          </Button>
        </Form>
      </div>
      <ul className={styles.steps}>
        {steps.map(({ label, href, isDone, hint }) => (
          <li key={label} data-done={isDone || undefined}>
            {isDone ? <Icon name="check" size={18} label="Done:" /> : <i aria-hidden="true" />}
            <span>
              {isDone ? label : <Link to={href}>{label}</Link>}
              {hint && !isDone ? <small>{hint}</small> : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
