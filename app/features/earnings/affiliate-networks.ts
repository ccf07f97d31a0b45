/**
 * The affiliate networks that the site knows: how a link carries a sub-id, and how reports and
 * postbacks name their values. Names of columns and parameters are compared without case, spaces
 * and punctuation, so `Trans ID` is also `trans_id`. The best name stands first.
 */

/** A value of a report's row. */
export type EarningField =
  | 'transaction'
  | 'status'
  | 'paid'
  | 'declined'
  | 'sale'
  | 'commission'
  | 'currency'
  | 'soldAt'
  | 'clickedAt'
  | 'statedAt'
  | 'subId'
  | 'advertiser';

export type EarningStatus = 'pending' | 'approved' | 'declined' | 'paid';

export interface AffiliateNetwork {
  name: string;
  /** Hosts of its links, with their subdomains. */
  hosts: readonly string[];
  /** The path of its links, if brands use hosts of their own. */
  path?: RegExp;
  /** The parameter that carries a sub-id, and its longest value. */
  parameter: string;
  mostCharacters: number;
  /**
   * The columns of its transaction report. Several ids joined identify a transaction if the network
   * has none of its own.
   */
  columns: Partial<Record<EarningField, string>>;
  /** More columns that identify a row, beside the transaction. */
  rowKey?: readonly string[];
  /** Columns that only this network has. One of them is enough to recognise its report. */
  signs: string;
  statuses: Record<string, EarningStatus>;
  /** The status of a row without one. */
  usualStatus: EarningStatus;
  /** The currency of a report that names none. */
  currency?: string;
  /** The time zone of times without one. */
  timeZone: string;
  /** Whether the day or the month stands first if a file does not show it. */
  dateOrder: 'day' | 'month';
}

const common: Record<string, EarningStatus> = {
  pending: 'pending',
  new: 'pending',
  open: 'pending',
  hold: 'pending',
  approved: 'approved',
  confirmed: 'approved',
  validated: 'approved',
  locked: 'approved',
  declined: 'declined',
  rejected: 'declined',
  deleted: 'declined',
  denied: 'declined',
  reversed: 'declined',
  cancelled: 'declined',
  canceled: 'declined',
  paid: 'paid',
};

export const affiliateNetworks = {
  // Columns: help.awin.com, "Understanding the data fields in the Transactions report", with the
  // statuses 0, 1 and 2. Parameters of postbacks: help.awin.com, "Transaction notifications".
  awin: {
    name: 'Awin',
    hosts: ['awin1.com', 'zenaps.com', 'tidd.ly'],
    parameter: 'clickref',
    mostCharacters: 50,
    columns: {
      transaction: 'id transaction_id',
      status: 'commission_status status transaction_status',
      paid: 'paid_to_publisher paid',
      sale: 'sale_amount transaction_amount sale_amount_amount',
      commission: 'commission commission_amount commission_amount_amount',
      currency: 'currency transaction_currency sale_amount_currency commission_amount_currency',
      soldAt: 'date transaction_date',
      clickedAt: 'click_date click_time',
      statedAt: 'validation_date',
      subId: 'clickref click_ref click_refs_click_ref click_reference',
      advertiser: 'advertiser_name advertiser merchant_name site_name advertiser_id merchant_id',
    },
    signs: 'clickref click_ref validation_date paid_to_publisher transaction_currency',
    statuses: { ...common, 0: 'pending', 1: 'approved', 2: 'declined' },
    usualStatus: 'pending',
    timeZone: 'UTC',
    dateOrder: 'day',
  },
  // Columns: developers.cj.com, Commission Detail (`publisherCommissions`). Corrections are rows
  // with ids of their own and negative amounts.
  cj: {
    name: 'CJ',
    hosts: [
      'anrdoezrs.net',
      'dpbolvw.net',
      'jdoqocy.com',
      'kqzyfj.com',
      'tkqlhce.com',
      'qksrv.net',
      'emjcd.com',
      'ftjcfx.com',
      'lduhtrp.net',
      'tqlkg.com',
      'awltovhc.com',
      'yceml.net',
      'cj.dotomi.com',
    ],
    parameter: 'sid',
    mostCharacters: 64,
    columns: {
      transaction: 'commission_id',
      status: 'action_status status validation_status',
      sale: 'sale_amount_pub_currency sale_amount_usd sale_amount order_amount',
      commission:
        'pub_commission_amount_pub_currency pub_commission_amount_usd commission_amount commission publisher_commission',
      currency: 'pub_currency publisher_currency currency',
      soldAt: 'event_date',
      clickedAt: 'click_date',
      statedAt: 'locking_date posting_date',
      subId: 'shopper_id sid publisher_sid',
      advertiser: 'advertiser_name advertiser_id',
    },
    signs: 'commission_id action_status posting_date action_tracker_id',
    statuses: { ...common, extended: 'pending', closed: 'paid' },
    usualStatus: 'pending',
    currency: 'USD',
    timeZone: 'America/Los_Angeles',
    dateOrder: 'month',
  },
  // u1: pubhelp.rakutenadvertising.com, "Signature Implementation Guidelines": at most 72
  // alphanumeric characters. A cancelled item is a later row with negative amounts.
  rakuten: {
    name: 'Rakuten',
    hosts: ['click.linksynergy.com', 'linksynergy.com'],
    parameter: 'u1',
    mostCharacters: 72,
    columns: {
      transaction: 'transaction_id etransaction_id order_id',
      status: 'status transaction_status',
      sale: 'sales gross_sales sale_amount',
      commission: 'total_commission commissions commission',
      currency: 'currency',
      soldAt: 'transaction_date',
      clickedAt: 'click_date',
      statedAt: 'process_date',
      subId: 'member_id_u1 member_id u1',
      advertiser: 'advertiser_name advertiser advertiser_id mid',
    },
    rowKey: ['sku sku_number', 'transaction_date', 'transaction_time', 'process_date'],
    signs: 'member_id_u1 u1 sku_number etransaction_id mid',
    statuses: common,
    usualStatus: 'approved',
    currency: 'USD',
    timeZone: 'UTC',
    dateOrder: 'month',
  },
  // Columns: integrations.impact.com, Actions and the report "Action Listing".
  impact: {
    name: 'Impact',
    hosts: ['sjv.io', 'pxf.io', 'evyy.net', '7eer.net', 'ojrq.net', 'prf.hn'],
    path: /^\/c\/\d+\/\d+\/\d+/,
    parameter: 'subId1',
    mostCharacters: 255,
    columns: {
      transaction: 'action_id id',
      status: 'status state action_status',
      sale: 'sale_amount amount intended_amount',
      commission: 'action_earnings payout earnings intended_payout',
      currency: 'currency payout_currency original_currency',
      soldAt: 'action_date event_date creation_date',
      clickedAt: 'referral_date referring_date click_date',
      statedAt: 'status_date modification_date locking_date last_modified',
      subId: 'sub_id1 subid_1 subid1',
      advertiser: 'campaign campaign_name brand program_name campaign_id',
    },
    signs: 'action_id action_earnings sub_id1 referral_date',
    statuses: common,
    usualStatus: 'pending',
    timeZone: 'UTC',
    dateOrder: 'month',
  },
  // Columns: help.shareasale.com, "Transaction Detail Report". Times are Eastern.
  shareasale: {
    name: 'ShareASale',
    hosts: ['shareasale.com', 'shareasale-analytics.com'],
    parameter: 'afftrack',
    mostCharacters: 255,
    columns: {
      transaction: 'trans_id transaction_id',
      status: 'status',
      paid: 'paid_date',
      declined: 'voided',
      sale: 'trans_amount sale_amount amount',
      commission: 'commission',
      currency: 'currency',
      soldAt: 'trans_date transaction_date',
      clickedAt: 'click_date',
      statedAt: 'reversal_date lock_date',
      subId: 'aff_comment afftrack affiliate_comment',
      advertiser: 'merchant_organization merchant_name merchant merchant_id',
    },
    signs: 'trans_id aff_comment trans_amount afftrack',
    statuses: common,
    usualStatus: 'pending',
    currency: 'USD',
    timeZone: 'America/New_York',
    dateOrder: 'month',
  },
  // Columns: tradedoubler.docs.apiary.io, Transactions. Statuses are A, P and D.
  tradedoubler: {
    name: 'Tradedoubler',
    hosts: [
      'clk.tradedoubler.com',
      'clkuk.tradedoubler.com',
      'pdt.tradedoubler.com',
      'tradedoubler.com',
    ],
    parameter: 'epi',
    mostCharacters: 100,
    columns: {
      transaction: 'transaction_id unique_id',
      status: 'status pending_status',
      paid: 'paid',
      sale: 'order_value',
      commission: 'commission publisher_commission affiliate_commission',
      currency: 'currency order_currency currency_id',
      soldAt: 'time_of_transaction time_of_event event_date',
      clickedAt: 'click_date time_of_visit time_of_click',
      statedAt: 'last_modified time_of_last_modified time_of_last_change',
      subId: 'epi epi1 epi_1',
      advertiser: 'program_name programme_name program program_id',
    },
    signs: 'epi epi1 time_of_transaction order_value programme_name',
    statuses: { ...common, a: 'approved', p: 'pending', d: 'declined' },
    usualStatus: 'pending',
    timeZone: 'Europe/Stockholm',
    dateOrder: 'day',
  },
  // Columns: developers.admitad.com, "Statistics by actions".
  admitad: {
    name: 'Admitad',
    hosts: [
      'ad.admitad.com',
      'alitems.com',
      'alitems.site',
      'lenkmio.com',
      'rzekl.com',
      'wextap.com',
      'pafutos.com',
    ],
    path: /^\/g\/[a-z0-9]{16,}\/?/i,
    parameter: 'subid',
    mostCharacters: 50,
    columns: {
      transaction: 'action_id admitad_id id',
      status: 'status payment_status',
      paid: 'paid',
      sale: 'cart order_sum order_amount amount',
      commission: 'payment payment_sum reward',
      currency: 'currency',
      soldAt: 'action_date time',
      clickedAt: 'click_date click_time',
      statedAt: 'status_updated closing_date',
      subId: 'subid sub_id subid1',
      advertiser: 'advcampaign_name program_name offer_name advcampaign_id',
    },
    signs: 'advcampaign_name advcampaign_id closing_date admitad_id cart payment',
    statuses: { ...common, approved_but_stalled: 'approved', approvedbutstalled: 'approved' },
    usualStatus: 'pending',
    timeZone: 'Europe/Berlin',
    dateOrder: 'day',
  },
} as const satisfies Record<string, AffiliateNetwork>;

export type NetworkId = keyof typeof affiliateNetworks;

export const networkIds = [
  'awin',
  'cj',
  'rakuten',
  'impact',
  'shareasale',
  'tradedoubler',
  'admitad',
] as const satisfies readonly NetworkId[];

export function isNetworkId(text: string | undefined | null): text is NetworkId {
  return typeof text === 'string' && Object.hasOwn(affiliateNetworks, text);
}

export function networkOf(id: NetworkId): AffiliateNetwork {
  return affiliateNetworks[id];
}

/** Returns the network of an affiliate link, by its host or the form of its path. */
export function recogniseNetwork(link: string): NetworkId | null {
  const url = URL.parse(link);
  if (!url) return null;
  const isOf = (hosts: readonly string[]) =>
    hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
  const byHost = networkIds.find((id) => isOf(networkOf(id).hosts));
  return byHost ?? networkIds.find((id) => networkOf(id).path?.test(url.pathname)) ?? null;
}
