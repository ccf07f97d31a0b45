import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { type DealEvidence, type EvidenceReport, verifyEvidence } from './verify-evidence.ts';

/** Verifies the evidence of the deal behind a link, and shows the result in the element after it. */
export async function checkEvidence(link: HTMLElement): Promise<void> {
  const shown = link.nextElementSibling;
  if (!(shown instanceof HTMLElement) || link.ariaDisabled === 'true') return;
  const { deal = '' } = link.dataset;
  link.ariaDisabled = 'true';
  shown.textContent = 'Checking…';
  delete shown.dataset['failed'];
  try {
    const response = await fetch(`/api/v1/deals/${deal}/evidence`, { cache: 'no-cache' });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const evidence = (await response.json()) as DealEvidence;
    const report = await verifyEvidence(evidence);
    const problems = [...report.problems, ...compareTable(report, evidence.is_complete)];
    shown.textContent =
      problems.length > 0 ? `The evidence is broken. ${problems.join(' ')}` : describe(report);
    if (problems.length > 0) shown.dataset['failed'] = '';
  } catch {
    shown.textContent = 'The evidence could not be checked. Try another browser, or again later.';
  }
  link.ariaDisabled = null;
}

function describe({ sealed, waiting, newest }: EvidenceReport): string {
  const tonight =
    waiting === 0
      ? ''
      : ` ${countNoun(waiting, 'newer entry', 'newer entries')} will be sealed tonight.`;
  if (sealed === 0 || !newest) return `Nothing is sealed yet.${tonight}`;
  const isOne = sealed === 1;
  return `Your browser verified ${countNoun(sealed, 'entry', 'entries')}: ${isOne ? 'it is' : 'all are'} in the signed log, unchanged, and the chart shows no other prices. Sealed until ${newest.day}.${tonight}`;
}

/** Returns a problem for each row of the chart's table that the log does not have. */
function compareTable(report: EvidenceReport, isComplete: boolean): string[] {
  const known = new Set(
    report.prices
      .filter(({ isVoided }) => !isVoided)
      .map(({ at, amount, currency }) => `${at.slice(0, 23)}Z ${formatMoney(amount, currency)}`),
  );
  const oldest = report.prices.map(({ at }) => at).toSorted()[0] ?? '';
  const times = document.querySelectorAll<HTMLTimeElement>('[data-region="price-history"] td time');
  return [...times].flatMap((time) => {
    const price = time.closest('tr')?.querySelector('[data-number]')?.textContent ?? '';
    // A time without hours is a price of another tracker, which the log never has.
    if (!time.dateTime.includes('T') || known.has(`${time.dateTime} ${price}`)) return [];
    if (!isComplete && time.dateTime < oldest) return [];
    return [`The chart’s ${price} of ${time.dateTime} is not in the log.`];
  });
}
