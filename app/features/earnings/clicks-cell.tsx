import type { Earned } from './earning-figures.server.ts';
import { formatPerClick } from './format-earned.ts';

/** Shows the clicks of a row, and the earnings per click if the viewer may see them. */
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
