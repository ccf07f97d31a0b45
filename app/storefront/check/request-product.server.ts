import {
  admitReporter,
  type ReportResult,
  type ReportSender,
} from '#app/features/reports/report-deal.server.ts';
import { storeProductRequest } from '#app/features/search/product-requests.server.ts';
import { readAskedProduct } from '#app/features/search/read-asked-product.server.ts';
import { requestedLink } from '#app/features/search/requested-link.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';

/**
 * Asks the owner to add the product of a checked link. Only a salted hash identifies the visitor.
 */
export async function requestProduct(
  services: AppServices,
  parameters: URLSearchParams,
  form: FormData,
  from: ReportSender,
): Promise<ReportResult> {
  const asked = readAskedProduct(parameters, services.env.origin);
  const url = asked.state === 'asked' ? requestedLink(asked.link) : null;
  if (asked.state !== 'asked' || url === null) {
    const message = 'Only products of public stores can be requested.';
    return { ok: false, reason: 'refused', message };
  }
  const admitted = await admitReporter(services, form, `product ${url}`, from);
  if (!admitted.ok) return admitted;
  const named = asked.title || asked.product.words;
  // A page's title may name its visitor.
  const title = named
    .split(' ')
    .filter((word) => !word.includes('@'))
    .join(' ');
  await storeProductRequest(services.db, { url, title }, admitted.reporter);
  return { ok: true };
}
