import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './question-list.module.css';

/** A question with its answer as plain text, and links. */
export interface AnsweredQuestion {
  id: string;
  question: string;
  answer: string;
  links?: { to: string; label: string }[] | undefined;
}

/** Questions that open to their answers, even without JavaScript. */
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
      {questions.map(({ id, question, answer, links = [] }) => (
        <details key={`${id} ${isOpen}`} id={id} className={styles.item} open={isOpen}>
          <summary>
            <span>{question}</span>
            <span className={styles.mark}>
              <Icon name="chevron-down" size={18} />
            </span>
          </summary>
          <div className={styles.answer}>
            <p>{answer}</p>
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
