import { Link } from '#app/ui/link.tsx';
import { describeForecast, type ShownForecast } from './describe-forecast.ts';
import styles from './price-forecast.module.css';

/** Renders the section “Should I wait?”, answered by a frequency. */
export function PriceForecast({ forecast }: { forecast: ShownForecast }) {
  return (
    <div className={styles.forecast}>
      <h3>Should I wait?</h3>
      <p>
        {describeForecast(forecast)}{' '}
        <Link to="/how-we-rank#forecasts">How often we were right</Link>
      </p>
    </div>
  );
}
