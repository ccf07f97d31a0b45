import { Form } from 'react-router';
import type { Verdict } from '#app/features/products/judge-pair.server.ts';
import { markWords } from '#app/features/products/mark-words.ts';
import type {
  RuleRecord,
  SuggestedDeal,
  Suggestion,
} from '#app/features/products/suggestion-queue.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { FramedPicture } from '#app/ui/picture.tsx';
import { describeReason } from './describe-reason.ts';
import { choices, pairIdOf } from './use-match-queue.ts';
import styles from './match-queue.module.css';

/** Two deals side by side, with a button for each decision. The buttons work without JavaScript. */
export function PairCard({
  suggestion,
  record,
  isCurrent,
  skipTo,
  onDecide,
  onSkip,
}: {
  suggestion: Suggestion;
  record: RuleRecord | undefined;
  isCurrent: boolean;
  /** The address of the next pair, or `null` if this is the last one. */
  skipTo: string | null;
  onDecide: (verdict: Verdict) => void;
  onSkip: (() => void) | undefined;
}) {
  const [one, other] = suggestion.deals;
  const names = `${one.title}, ${one.merchant}, and ${other.title}, ${other.merchant}`;
  return (
    <section
      id={pairIdOf(suggestion)}
      tabIndex={-1}
      className={styles.card}
      data-current={isCurrent || undefined}
      aria-label={names}
    >
      <header className={styles.reason}>
        <h2>{describeReason(suggestion)}</h2>
        <p>
          {Math.min(Math.round(suggestion.score * 100), 99)}% likely one product
          {record ? ` · Accepted ${record.accepted} of ${record.judged} like this` : ''}
        </p>
      </header>
      <div className={styles.sides}>
        <Side deal={one} other={other} />
        <Side deal={other} other={one} />
      </div>
      <Form
        method="post"
        className={styles.choices}
        onSubmit={(event) => {
          event.preventDefault();
          const { submitter } = event.nativeEvent;
          const chosen = choices.find(
            ({ verdict }) => submitter instanceof HTMLButtonElement && verdict === submitter.value,
          );
          if (chosen) onDecide(chosen.verdict);
        }}
      >
        <HiddenFields fields={{ deal: one.id, other: other.id }} />
        {choices
          .filter(({ verdict }) => verdict !== 'same' || !suggestion.isSameMerchant)
          .map(({ verdict, label, key }) => (
            <Button
              key={verdict}
              type="submit"
              name="intent"
              value={verdict}
              variant={verdict === 'same' ? 'primary' : 'secondary'}
              aria-keyshortcuts={key}
            >
              {label}
              <kbd aria-hidden="true">{key.toUpperCase()}</kbd>
              <span className="visually-hidden">: {names}</span>
            </Button>
          ))}
        {skipTo === null ? null : (
          <a
            href={skipTo}
            className={buttonClass({ variant: 'quiet' })}
            aria-keyshortcuts="j"
            onClick={
              onSkip &&
              ((event) => {
                event.preventDefault();
                onSkip();
              })
            }
          >
            Skip
            <kbd aria-hidden="true">J</kbd>
            <span className="visually-hidden">: {names}</span>
          </a>
        )}
      </Form>
    </section>
  );
}

function Side({ deal, other }: { deal: SuggestedDeal; other: SuggestedDeal }) {
  return (
    <div className={styles.side}>
      <FramedPicture
        src={deal.image_url}
        alt=""
        icon="tag"
        width={112}
        height={112}
        className={styles.picture}
      />
      <div className={styles.offer}>
        <span className={styles.merchant}>{deal.merchant}</span>
        <Link to={`/deals/${deal.slug}`} className={styles.title}>
          {markWords(deal.title, other.title).map(({ text, isMarked, at }) =>
            isMarked ? <mark key={at}>{text}</mark> : text,
          )}
        </Link>
        <span className={styles.price}>
          {formatMoney(deal.sale_price, deal.currency)}
          {deal.availability === 'out_of_stock' ? <em>out of stock</em> : null}
        </span>
        <dl className={styles.facts}>
          <Fact label="Brand" value={deal.brand} other={other.brand} />
          <Fact label="GTIN" value={deal.gtin} other={other.gtin} />
          <Fact label="MPN" value={deal.mpn} other={other.mpn} />
          {deal.offers > 0 ? (
            <Fact label="Product" value={countNoun(deal.offers, 'offer')} other={null} />
          ) : null}
        </dl>
      </div>
    </div>
  );
}

/** A value, marked if the other deal has a different one. */
function Fact({
  label,
  value,
  other,
}: {
  label: string;
  value: string | null;
  other: string | null;
}) {
  const isOther = value !== null && other !== null && value.toLowerCase() !== other.toLowerCase();
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value === null ? <span>not stated</span> : isOther ? <mark>{value}</mark> : value}</dd>
    </div>
  );
}
