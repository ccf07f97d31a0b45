import type { SaleStatus } from '#database/schema/earning-tables.ts';
import type { NetworkId } from './affiliate-networks.ts';
import type { DayOrder } from '#app/platform/written-days.ts';

export const reportFields = ['id', 'amount', 'currency', 'status', 'date', 'subId'] as const;
export type ReportField = (typeof reportFields)[number];

/** The format of a network's sales report. */
export interface ReportForm {
  /**
   * Column names, the best first, as letters and digits only. `a+b` joins two columns. Owners map
   * other names by hand.
   */
  columns: Readonly<Record<ReportField, readonly string[]>>;
  /** Statuses of this network in addition to the common ones. */
  statuses?: Readonly<Record<string, SaleStatus>>;
  /** The status of a sale for which the report gives none. */
  statusWithout: SaleStatus;
  /** The order of day and month in ambiguous dates. */
  dayOrder: DayOrder;
  currency: string | null;
}

/** The statuses by the words that networks use for them, as letters and digits only. */
const sharedStatuses: Readonly<Record<string, SaleStatus>> = {
  ...of('pending', 'pending new open extended uncleared unlocked processing p'),
  ...of('approved', 'approved confirmed accepted locked closed cleared paid payable a'),
  ...of('approved', 'approvedbutstalled'),
  ...of('declined', 'declined rejected reversed void voided cancelled canceled deleted invalid d'),
};

function of(status: SaleStatus, names: string): Record<string, SaleStatus> {
  return Object.fromEntries(names.split(' ').map((name) => [name, status]));
}

const reportForms: Readonly<Record<NetworkId, ReportForm>> = {
  // help.awin.com, "Understanding the data fields in the Transactions report", and the fields of
  // "Get List of Transactions".
  awin: {
    columns: {
      id: ['id', 'transactionid'],
      amount: ['commission', 'commissionamount', 'commissionamountamount'],
      currency: ['currency', 'commissionamountcurrency', 'commissioncurrency'],
      status: ['commissionstatus', 'transactionstatus', 'status'],
      date: ['date', 'transactiondate'],
      subId: ['clickref', 'clickrefsclickref', 'clickreference', 'clickref1'],
    },
    statuses: { 0: 'pending', 1: 'approved', 2: 'declined' },
    statusWithout: 'pending',
    dayOrder: 'dmy',
    currency: null,
  },
  // docs.cj.com, "Commission Detail API". A correction is a separate commission, which may be
  // negative.
  cj: {
    columns: {
      id: ['commissionid'],
      amount: [
        'pubcommissionamountpubcurrency',
        'pubcommissionamountusd',
        'publishercommission',
        'commissionamount',
      ],
      currency: ['pubcurrency', 'currency'],
      status: ['actionstatus', 'status'],
      date: ['eventdate', 'postingdate'],
      subId: ['sid'],
    },
    statusWithout: 'pending',
    dayOrder: 'mdy',
    currency: null,
  },
  // Rakuten Advertising, "Advanced Reports 1.0", Signature Orders. Cancellations are separate rows
  // with a negative commission, and there is no status column.
  rakuten: {
    columns: {
      id: ['transactionid', 'orderid+sku'],
      amount: ['totalcommission'],
      currency: ['currency'],
      status: [],
      date: ['transactiondate'],
      subId: ['memberidu1'],
    },
    statusWithout: 'approved',
    dayOrder: 'mdy',
    currency: null,
  },
  // help.impact.com, "Action Listing for a Paystub" and "Advanced Action Listing" for partners.
  impact: {
    columns: {
      id: ['actionid'],
      amount: ['payout', 'actionearnings'],
      currency: ['currency', 'payoutcurrency'],
      status: ['actionstatus', 'status', 'state'],
      date: ['actiondate', 'eventdate'],
      subId: ['subid1'],
    },
    statusWithout: 'pending',
    dayOrder: 'mdy',
    currency: null,
  },
  // The activity details of ShareASale's API, as docs.switchboard-software.com lists them. Which
  // comment field has the sub-id could not be verified.
  shareasale: {
    columns: {
      id: ['transid'],
      amount: ['commission'],
      currency: [],
      status: ['voided'],
      date: ['transdate'],
      subId: ['affcomment', 'afftrack'],
    },
    statuses: { 0: 'approved', 1: 'declined', no: 'approved', yes: 'declined' },
    statusWithout: 'approved',
    dayOrder: 'mdy',
    currency: 'USD',
  },
  // tradedoubler.docs.apiary.io, the transactions of the Publisher Management API.
  tradedoubler: {
    columns: {
      id: ['transactionid'],
      amount: ['commission'],
      currency: ['currency', 'currencycode'],
      status: ['status', 'pendingstatus'],
      date: ['timeoftransaction'],
      subId: ['epi', 'epi1'],
    },
    statusWithout: 'pending',
    dayOrder: 'dmy',
    currency: null,
  },
  // developers.admitad.com, "Statistics by actions", and the parameters of "Postback URL".
  admitad: {
    columns: {
      id: ['actionid', 'admitadid'],
      amount: ['payment', 'paymentsum'],
      currency: ['currency'],
      status: ['status', 'paymentstatus'],
      date: ['actiondate', 'time'],
      subId: ['subid'],
    },
    statusWithout: 'pending',
    dayOrder: 'dmy',
    currency: null,
  },
};

export function reportFormOf(network: NetworkId): ReportForm {
  return reportForms[network];
}

/** Returns the name of a column or status as letters and digits only. */
export function plainName(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the status for a network's word, or `null` for an unknown word. */
export function readSaleStatus(text: string, form: ReportForm): SaleStatus | null {
  const name = plainName(text);
  if (name === '') return form.statusWithout;
  return form.statuses?.[name] ?? sharedStatuses[name] ?? null;
}
