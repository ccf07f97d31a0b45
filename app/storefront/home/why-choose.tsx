import { FurtherIcon, type FurtherIconName } from '#app/ui/further-icon.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import styles from './why-choose.module.css';

const benefits: { icon: FurtherIconName; title: string; text: string }[] = [
  {
    icon: 'chart',
    title: 'Prices with a past',
    text: 'We log every price we see. Each deal shows how today’s price compares with that record.',
  },
  {
    icon: 'scale',
    title: 'Claims you can check',
    text: 'A “was” price is shown as what it is: the store’s claim, or a price we saw ourselves.',
  },
  {
    icon: 'store',
    title: 'Many stores, one page',
    text: 'Compare the deals of different stores side by side, sorted the way you want.',
  },
  {
    icon: 'search',
    title: 'Search that forgives',
    text: 'Search works despite typos, and together with filters.',
  },
  {
    icon: 'shield',
    title: 'No tricks',
    text: 'No countdowns, no invented scarcity, no pop-ups. Expired deals never come before live ones.',
  },
  {
    icon: 'info',
    title: 'Open about money',
    text: 'We disclose commissions before the first link, and explain how lists are ranked.',
  },
];

export function WhyChoose() {
  const { name } = useSite();
  return (
    <section aria-labelledby="why">
      <h2 id="why" className="below-4">
        Why Choose {name}
      </h2>
      <ul className={styles.grid}>
        {benefits.map(({ icon, title, text }) => (
          <li key={title} className={styles.benefit}>
            <span className={styles.icon}>
              <FurtherIcon name={icon} size={22} />
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
