import { Link } from '#app/ui/link.tsx';
import { describeRaise } from './discount-check.ts';

/** Renders a note beside a reduction that the price was raised shortly before. */
export function RaisedBefore({ raise }: { raise: { raised_at: Date; began_at: Date } | null }) {
  if (!raise) return null;
  return (
    <p className="small">
      {describeRaise(raise.raised_at, raise.began_at)} this reduction.{' '}
      <Link to="/how-we-rank#discount-check">How we count</Link>
    </p>
  );
}
