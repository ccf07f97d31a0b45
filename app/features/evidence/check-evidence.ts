import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { type DealEvidence, type EvidenceReport, verifyEvidence } from './verify-evidence.ts';

/** Verifies the evidence of a link's deal, and shows the result in the element after the link. */
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
    const { text, problems } = await judge(evidence);
    shown.textContent =
      problems.length > 0 ? `The evidence is broken. ${problems.join(' ')}` : text;
    if (problems.length > 0) shown.dataset['failed'] = '';
    const more = document.createElement('a');
    more.href = link.getAttribute('href') ?? '';
    more.textContent = 'What this proves';
    shown.append(' ', more);
  } catch {
    shown.textContent =
      'The evidence could not be checked. Try again later, or in another browser.';
  }
  link.ariaDisabled = null;
}

async function judge(evidence: DealEvidence): Promise<{ text: string; problems: string[] }> {
  // The prices were hidden while the page was open.
  if (evidence.state !== 'kept')
    return { text: 'The store no longer allows us to show these prices.', problems: [] };
  const report = await verifyEvidence(evidence);
  const { missing, voided } = compareTable(report, evidence.is_complete);
  const text = voided.length > 0 ? voided.join(' ') : describe(report);
  return { text, problems: [...report.problems, ...missing] };
}

function describe({ sealed, waiting, newest, witnesses }: EvidenceReport): string {
  const soon =
    waiting === 0
      ? ''
      : ` ${newest ? countNoun(waiting, 'newer entry', 'newer entries') : countNoun(waiting, 'entry', 'entries')} will be sealed within a day.`;
  if (sealed === 0 || !newest) return `Nothing is sealed yet.${soon}`;
  const isOne = sealed === 1;
  return `Your browser verified ${countNoun(sealed, 'entry', 'entries')}: ${isOne ? 'it is' : 'all are'} in the signed log, unchanged, and the chart shows no other prices. Sealed through ${newest.day}.${describeWitnesses(witnesses)}${soon}`;
}

function describeWitnesses(witnesses: EvidenceReport['witnesses']): string {
  const named = Object.entries(witnesses).map(
    ([address, day]) => `${new URL(address).host} through ${day}`,
  );
  return named.length === 0 ? '' : ` Countersigned by ${named.join(', ')}.`;
}

/** Lists the rows of the chart's table that are missing from the log, or voided. */
function compareTable(report: EvidenceReport, isComplete: boolean) {
  const known = new Map(
    report.prices
      .toSorted((a, b) => Number(b.isVoided) - Number(a.isVoided))
      .map((line) => [
        `${line.at.slice(0, 23)}Z ${formatMoney(line.amount, line.currency)}`,
        line.isVoided,
      ]),
  );
  const oldest = report.prices.map(({ at }) => at).toSorted()[0] ?? '';
  const times = document.querySelectorAll<HTMLTimeElement>('[data-region="price-history"] td time');
  const missing: string[] = [];
  const voided: string[] = [];
  for (const time of times) {
    const price = time.closest('tr')?.querySelector('[data-number]')?.textContent ?? '';
    // A time without hours marks another tracker's price, which is never in the log.
    if (!time.dateTime.includes('T') || (!isComplete && time.dateTime < oldest)) continue;
    const isVoided = known.get(`${time.dateTime} ${price}`);
    if (isVoided === undefined)
      missing.push(`The chart shows ${price} at ${time.dateTime}, which is not in the log.`);
    // The price was voided while the page was open.
    else if (isVoided)
      voided.push(`The price ${price} at ${time.dateTime} was voided. Reload the page.`);
  }
  return { missing, voided };
}
