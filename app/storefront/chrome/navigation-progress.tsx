import { useNavigation } from 'react-router';
import styles from './navigation-progress.module.css';

/** A thin bar while the next page loads, shown after 150 ms. */
export function NavigationProgress() {
  const isLoading = useNavigation().state !== 'idle';
  return isLoading ? <div className={styles.bar} aria-hidden="true" /> : null;
}
