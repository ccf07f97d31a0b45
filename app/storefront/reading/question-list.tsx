import { Icon } from '#app/ui/icon.tsx';
import type { AnsweredQuestion } from '#app/features/pages/read-site-text.server.ts';
import { Link } from '#app/ui/link.tsx';
import { AnswerText } from './answer-text.tsx';
import styles from './question-list.module.css';

/** Questions that expand to show their answers, even without JavaScript. */
export function QuestionList({
  questions,
  isOpen = false,
}: {
  questions: AnsweredQuestion[];
  /** Whether answers are open, as in a search. */
  isOpen?: boolean;
}) {
  return (
    <div className={styles.list}>
      {questions.map(({ id, question, answer, html, links = [] }) => (
        <details key={`${id} ${isOpen}`} id={id} className={styles.item} open={isOpen}>
          <summary>
            <span>{question}</span>
            <span className={styles.mark}>
              <Icon name="chevron-down" size={18} />
            </span>
          </summary>
          <div className={styles.answer}>
            <AnswerText answer={answer} html={html} />
            {links.length > 0 ? (
              <p className={styles.links}>
                {links.map(({ to, label }) => (
                  <Link key={to} to={to}>
                    {label}
                  </Link>
                ))}
              </p>
            ) : null}
          </div>
        </details>
      ))}
    </div>
  );
}
