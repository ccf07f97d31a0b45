/**
 * What the Amazon Associates programme asks of a site that shows its prices (P35d): no tracking, no alerts, a
 * price no older than a day, with its time and this note.
 */
export const amazonPreset: Record<string, string> = {
  keep_history: '',
  allow_alerts: '',
  hide_price_after_hours: '24',
  show_price_timestamp: 'on',
  price_disclaimer:
    'Price and availability are as of the time shown and may change. What Amazon shows when you buy is what counts.',
};
