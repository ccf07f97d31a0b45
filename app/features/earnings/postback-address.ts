import { isNetworkId, type NetworkId } from './affiliate-networks.ts';

/**
 * The format of a network's postbacks: our parameters with the network's placeholders, and where to
 * enter the URL.
 */
interface PostbackForm {
  placeholders: Readonly<Record<string, string>>;
  hint: string;
}

/**
 * Networks that call a URL for each sale. None of these signs its requests, so the URL contains a
 * secret token. CJ, Rakuten and ShareASale do not document postbacks for publishers.
 */
const postbackForms: Partial<Record<NetworkId, PostbackForm>> = {
  // help.awin.com, "Transaction notifications" with their request types. New sales only.
  awin: {
    placeholders: {
      id: '!!!transactionId!!!',
      amount: '!!!commission!!!',
      currency: '!!!transactionCurrency!!!',
      sub_id: '!!!clickRef!!!',
    },
    hint: 'Toolbox, Transaction Notifications: enter it as the call-back URL, with the method GET. Awin sends new sales only; upload its report for later decisions.',
  },
  // help.impact.com, "Enable Action Clearing Events notifications" and its list of parameters.
  impact: {
    placeholders: {
      id: '{ActionId}',
      amount: '{Payout}',
      currency: '{Currency}',
      status: '{Status}',
      date: '{EventDate}',
      sub_id: '{SubId1}',
    },
    hint: 'Settings, Event Notifications: enter it with the method GET.',
  },
  // dev.tradedoubler.com, "Conversions API" for publishers, where subscribers name the attributes.
  tradedoubler: {
    placeholders: {},
    hint: 'Conversions API: name the attributes id (transaction id), amount (commission), currency, status, date and sub_id (EPI), and send them by GET.',
  },
  // developers.admitad.com, "Create Postback URL by action". The list lacks the id and the status;
  // their names come from Admitad's form.
  admitad: {
    placeholders: {
      id: '[[[admitad_id]]]',
      amount: '[[[payment_sum]]]',
      currency: '[[[currency]]]',
      status: '[[[payment_status]]]',
      date: '[[[time]]]',
      sub_id: '[[[subid]]]',
    },
    hint: 'Tools, Postback URL, advanced mode: enter it for the event “Action”, with the method GET.',
  },
};

export const postbackNetworks: readonly NetworkId[] =
  Object.keys(postbackForms).filter(isNetworkId);

export function postbackHint(network: NetworkId): string {
  return postbackForms[network]?.hint ?? '';
}

/** Returns the URL that the owner enters at the network. Placeholders are not encoded. */
export function postbackAddress(origin: string, network: NetworkId, token: string): string {
  const { placeholders = {} } = postbackForms[network] ?? {};
  const rest = Object.entries(placeholders).map(([name, value]) => `&${name}=${value}`);
  return `${origin}/api/postback/${network}?token=${token}${rest.join('')}`;
}
