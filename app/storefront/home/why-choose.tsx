import { FurtherIcon, type FurtherIconName } from '#app/ui/further-icon.tsx';
import styles from './why-choose.module.css';

const benefits: { icon: FurtherIconName; name: string; text: string }[] = [
  {
    icon: 'chart',
    name: 'Prices with a past',
    text: 'We log every price we see. Each deal shows how today’s price compares with that record.',
  },
  {
    icon: 'scale',
    name: 'Claims you can check',
    text: 'A “was” price is shown as what it is: the store’s claim, or a price we saw ourselves.',
  },
  {
    icon: 'store',
    name: 'Many stores, one page',
    text: 'Compare the deals of different stores side by side, sorted the way you want.',
  },
  {
    icon: 'search',
    name: 'Search that forgives',
    text: 'Search works despite typos, and together with filters.',
  },
  {
    icon: 'shield',
    name: 'No tricks',
    text: 'No countdowns, no invented scarcity, no pop-ups. Expired deals never come before live ones.',
  },
  {
    icon: 'info',
    name: 'Open about money',
    text: 'We disclose commissions before the first link, and explain how lists are ranked.',
  },
];

export function WhyChoose({ title }: { title: string }) {
  return (
    <section aria-labelledby="why">
      <h2 id="why" className="below-4">
        {title}
      </h2>
      <ul className={styles.grid}>
        {benefits.map(({ icon, name, text }) => (
          <li key={name} className={styles.benefit}>
            <span className={styles.icon}>
              <FurtherIcon name={icon} size={22} />
            </span>
            <h3>{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
