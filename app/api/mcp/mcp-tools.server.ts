import { z } from 'zod';
import { couponsAnswer } from '#app/api/v1/coupon-answers.server.ts';
import { productAnswer } from '#app/api/v1/product-answer.server.ts';
import { categoriesAnswer, merchantsAnswer } from '#app/api/v1/shop-answers.server.ts';
import { couponsHref } from '#app/features/coupons/describe-coupon.ts';
import { historyQuery } from '#app/features/public-api/api-parameters.ts';
import { type McpToolName, mcpToolWords } from '#app/features/public-api/mcp-tool-words.ts';
import { mostUnits } from '#app/platform/money.ts';
import { deepestPage } from '#app/platform/page-number.ts';
import { checkPrice } from './check-price.server.ts';
import {
  presentCoupon,
  presentDeal,
  presentHistory,
  presentProduct,
  presentScope,
} from './mcp-answers.ts';
import {
  type McpCall,
  readDeal,
  readLog,
  refused,
  describeLog,
  type ToolResult,
} from './read-requested-deal.server.ts';
import { searchDeals } from './search-deals.server.ts';

interface ToolAct {
  input: z.ZodObject;
  run(given: unknown, call: McpCall): Promise<ToolResult>;
}

/** A read-only tool for assistants. */
export type McpTool = ToolAct & (typeof mcpToolWords)[number];

function tool<Input extends z.ZodObject>({
  input,
  run,
}: {
  input: Input;
  run(given: z.output<Input>, call: McpCall): Promise<ToolResult>;
}): ToolAct {
  return { input, run: (given, call) => run(input.parse(given), call) };
}

const slug = z.string().regex(/^[a-z0-9-]{1,200}$/);
const amount = z.number().min(0).max(mostUnits);
const pageNumber = z.int().min(1).max(deepestPage).default(1);
const dealKey = z
  .union([z.int().min(1), z.string().min(1).max(500)])
  .describe('The deal’s id, its slug or the address of its page on this site.');
const withDescription = z
  .boolean()
  .default(false)
  .describe('Adds the store’s description, cut to 200 characters.');
const inSitesCurrency = 'In the site’s currency, such as 49.99.';

const tools: Readonly<Record<McpToolName, ToolAct>> = {
  search_deals: tool({
    input: z.strictObject({
      query: z.string().max(100).default('').describe('Words that the deal must all contain.'),
      category: slug.optional().describe('A slug from list_places.'),
      store: slug.optional().describe('A slug from list_places.'),
      min_price: amount.optional().describe(inSitesCurrency),
      max_price: amount.optional().describe(inSitesCurrency),
      evidence: z
        .enum(['low', 'fell'])
        .optional()
        .describe(
          'low: the lowest price in 90 days, after a higher one. fell: the same for 7 days.',
        ),
      sort: z
        .enum(['best', 'newest', 'price_low', 'price_high', 'discount'])
        .default('best')
        .describe(
          'best: the best match first, or the newest without words. discount: largest first, only without words.',
        ),
      page: pageNumber,
      with_descriptions: withDescription,
    }),
    run: searchDeals,
  }),
  get_deal: tool({
    input: z.strictObject({ deal: dealKey, with_description: withDescription }),
    async run({ deal, with_description }, call) {
      const found = await readDeal(call, deal);
      return found.ok
        ? { ok: true, answer: { deal: presentDeal(found.answer, with_description) } }
        : found;
    },
  }),
  compare_offers: tool({
    input: z.strictObject({ product: slug }),
    async run({ product }, call) {
      const read = (key: string) => productAnswer.read({ ...call, query: {}, key });
      let found = await read(product);
      if (!found.ok && found.status === 301)
        found = await read(found.location.split('/').at(-1) ?? '');
      return found.ok ? { ok: true, answer: presentProduct(found.answer) } : refused(found);
    },
  }),
  price_history: tool({
    input: z.strictObject({
      deal: dealKey,
      days: historyQuery.shape.days.describe('The number of days to go back.'),
    }),
    async run({ deal, days }, call) {
      const found = await readDeal(call, deal);
      if (!found.ok) return found;
      const log = await readLog(call, found.answer.id, days);
      if (!log.ok) return log;
      const { id, url } = found.answer;
      const evidence = await describeLog(call, found.answer, log.answer, days);
      return {
        ok: true,
        answer: { deal: { id, page: url }, evidence, ...presentHistory(log.answer) },
      };
    },
  }),
  price_check: tool({
    input: z.strictObject({
      price: amount.gt(0).optional().describe(`A price to compare. ${inSitesCurrency}`),
      gtin: z
        .string()
        .regex(/^\d{8}$|^\d{12,14}$/)
        .optional()
        .describe('The number below the barcode.'),
      url: z
        .string()
        .max(500)
        .optional()
        .describe(
          'The address of a deal’s page on this site, or of a product’s page at its store.',
        ),
      title: z.string().min(2).max(100).optional(),
    }),
    run: checkPrice,
  }),
  list_places: tool({
    input: z.strictObject({ kind: z.enum(['category', 'store']), page: pageNumber }),
    async run({ kind, page }, call) {
      const asked = { ...call, key: '' };
      const found =
        kind === 'category'
          ? await categoriesAnswer.read({ ...asked, query: {} })
          : await merchantsAnswer.read({ ...asked, query: { page } });
      if (!found.ok) return refused(found);
      const path = kind === 'category' ? '/categories' : '/merchants';
      const answer = {
        page: call.site.origin + path,
        evidence: ['live_deals counts the deals that can be bought right now, as the page does.'],
        places: found.answer.data.map(presentScope),
        ...('page' in found.answer ? { pages: found.answer.page } : {}),
      };
      return { ok: true, answer };
    },
  }),
  list_coupons: tool({
    input: z.strictObject({
      store: slug.optional().describe('A slug from list_places.'),
      page: pageNumber,
    }),
    async run({ store, page }, call) {
      const found = await couponsAnswer.read({
        ...call,
        key: '',
        query: { merchant: store, page },
      });
      if (!found.ok) return refused(found);
      const answer = {
        page: call.site.origin + couponsHref(store ?? null),
        evidence: ['Visitors report whether a code works; we have not tried it.'],
        coupons: found.answer.data.map(presentCoupon),
        pages: found.answer.page,
      };
      return { ok: true, answer };
    },
  }),
};

export const mcpTools: readonly McpTool[] = mcpToolWords.map((words) => ({
  ...words,
  ...tools[words.name],
}));
