import { type PillVariant, StatusPill } from '#app/admin/frame/status-pill.tsx';
import type { AttentionItem } from '#app/features/desk/describe-attention.ts';
import type { FirstStep } from '#app/features/desk/first-steps.ts';
import type { CheckResult } from '#app/platform/check-result.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './dashboard-page.module.css';

/** Lists what needs a person's attention. Hidden if the list is empty. */
export function Attention({ items }: { items: readonly AttentionItem[] }) {
  if (items.length === 0) return null;
  return (
    <section className={styles.attention} aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul>
        {items.map(({ detail, href, isUrgent, act }) => (
          <li key={detail} data-urgent={isUrgent || undefined}>
            <Link to={href}>
              <Icon name={isUrgent ? 'alert' : 'info'} size={18} />
              <span>{detail}</span>
              <Icon name="arrow-right" size={16} />
            </Link>
            {act ? (
              <PostButton fields={act.fields} form={{ action: act.action }}>
                {act.label}
              </PostButton>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Lists the remaining setup steps, until done or dismissed. */
export function Checklist({ steps }: { steps: readonly FirstStep[] }) {
  if (steps.length === 0) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section className={styles.panel} aria-labelledby="checklist">
      <div className={styles.checklistHead}>
        <h2 id="checklist">
          Getting started: {done} of {steps.length} done
        </h2>
        <PostButton fields={{ intent: 'dismiss-checklist' }} className={styles.dismiss}>
          Dismiss
        </PostButton>
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

const variants: Record<CheckResult['state'], { variant: PillVariant; word: string }> = {
  ok: { variant: 'good', word: 'OK' },
  warning: { variant: 'warn', word: 'Note' },
  problem: { variant: 'bad', word: 'Problem' },
};

/** Check results as of this request, collapsed into one line while every check is OK. */
export function SystemStatus({ results }: { results: readonly CheckResult[] }) {
  const isWell = results.every(({ state }) => state === 'ok');
  return (
    <section className={styles.panel} aria-labelledby="system-status">
      {isWell ? (
        <details className={styles.well}>
          <summary>
            <h2 id="system-status">System Status</h2>
            <span>All {results.length} checks passed</span>
            <StatusPill variant="good">OK</StatusPill>
          </summary>
          <Checks results={results} />
        </details>
      ) : (
        <>
          <h2 id="system-status">System Status</h2>
          <Checks results={results} />
        </>
      )}
    </section>
  );
}

function Checks({ results }: { results: readonly CheckResult[] }) {
  return (
    <ul className={`stack ${styles.checks}`}>
      {results.map(({ name, state, detail, fix }) => (
        <li key={name}>
          <h3>{name}</h3>
          <StatusPill variant={variants[state].variant}>{variants[state].word}</StatusPill>
          <p>
            {detail}
            {fix ? <span>{fix}</span> : null}
          </p>
        </li>
      ))}
    </ul>
  );
}

const quickActions = [
  { href: '/admin/deals', label: 'Manage deals' },
  { href: '/admin/merchants', label: 'Manage merchants' },
  { href: '/admin/categories', label: 'Manage categories' },
  { href: '/admin/blog', label: 'Manage the blog' },
];

export function QuickActions() {
  return (
    <section className={styles.panel} aria-labelledby="quick-actions">
      <h2 id="quick-actions">Quick actions</h2>
      <ul className="stack gap-2">
        {quickActions.map(({ href, label }) => (
          <li key={href}>
            <ButtonLink to={href} isWide>
              {label}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
