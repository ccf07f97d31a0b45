import type { Earned } from './earning-figures.server.ts';
import { formatPerClick } from './format-earned.ts';

/** Shows the clicks of a row. If there are any, adds what each earned, where the viewer may see it. */
export function ClicksCell({ clicks, earned }: { clicks: number; earned: Earned[] | undefined }) {
  return (
    <>
      {clicks.toLocaleString('en-US')}
      {earned && clicks > 0 ? (
        <p className="small">{formatPerClick(earned, clicks)} per click</p>
      ) : null}
    </>
  );
}
