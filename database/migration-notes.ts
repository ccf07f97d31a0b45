/**
 * The effect of each migration up to 0104, and what the owner must do, as shown by `deals upgrade
 * --check`. The comments in these migrations are for developers. Each later migration begins with
 * such a note.
 */
export const migrationNotes: Readonly<Record<string, string>> = {
  '0001_initial': 'Creates the tables.',
  '0002_catalog_indexes': 'Keeps filtered lists fast with a million deals.',
  '0003_search_vocabulary': 'Adds search suggestions and corrections of typing errors.',
  '0004_accounts': 'Stores email addresses in lower case and adds two-factor sign-in.',
  '0005_mail': 'Records what happened to each email and newsletter.',
  '0006_limits_and_secrets': 'Keeps rate limits across a restart.',
  '0007_price_alerts': 'Fires price alerts for every price change, including imports.',
  '0008_passkeys': 'Adds passkeys.',
  '0009_web_push': 'Adds browser notifications of price alerts.',
  '0010_contact_inbox': 'Adds the inbox of contact messages.',
  '0011_door': 'Applies maintenance mode and the access gate in all processes at once.',
  '0012_api_keys_and_webhooks': 'Adds API keys and webhooks.',
  '0013_imports': 'Adds scheduled imports that can be watched, stopped and rolled back.',
  '0015_deal_management': 'Adds undo of deletions and changes of many deals at once.',
  '0018_blog_management': 'Adds blog posts that are published at a later date.',
  '0019_people_screens': 'Keeps the lists of users, subscriptions and the audit log fast.',
  '0021_link_checks': 'Checks the links of live deals.',
  '0022_policy_reports': 'Collects reports of content that browsers blocked.',
  '0023_hiding_merchants': 'Keeps lists by price fast if some merchants hide their prices.',
  '0024_price_log_keeps_lines': 'Keeps every price in the log until its deal is deleted.',
  '0025_held_prices': 'Shows how long a held price has been waiting for review.',
  '0027_trusted_links': 'Lets staff confirm that a link works although its check failed.',
  '0028_disconnected_providers':
    'Keeps sign-in providers disconnected after a user disconnected them.',
  '0030_refused_addresses': 'Pauses newsletters and alerts to addresses that mail servers refused.',
  '0031_staff_second_factor': 'Counts a passkey as a second factor of staff.',
  '0032_proved_addresses':
    'Removes roles, API keys, passkeys and linked sign-ins from accounts with an unverified email. Ask their owners to verify it, then restore the roles of staff.',
  '0033_one_link_a_provider': 'Links each account of a sign-in provider to one account here.',
  '0034_mails_without_links':
    'Removes one-time links from stored emails. Queued emails get new links.',
  '0035_pictures_by_https':
    'Changes http addresses of pictures to https. Replace pictures whose host has no https.',
  '0036_pages_that_may_stand_in': 'Shows cached pages while the database is unreachable.',
  '0037_price_proofs': 'Keeps the price history on cards fast.',
  '0038_a_million_deals_in_the_office':
    'Keeps the deal list of the admin fast with a million deals.',
  '0039_words_of_deals': 'Makes imports faster with a smaller search index.',
  '0040_days_a_price_was_asked':
    'Counts only days on which a deal was in stock towards its usual price.',
  '0041_any_shops_feed': 'Remembers how to read the feed of each source.',
  '0042_facts_of_a_site':
    'Stops showing the demo shop’s facts about your site. Enter your own in the settings.',
  '0043_what_people_did': 'Keeps the names of deleted or renamed items in the audit log.',
  '0044_pictures_of_stores': 'Copies pictures of stores to your site.',
  '0045_newsletters': 'Adds newsletters that staff write and schedule.',
  '0046_invited_and_suspended': 'Adds staff invitations and suspension of accounts.',
  '0047_clicks_where_decisions_are_made': 'Shows clicks in lists and charts.',
  '0052_answers_to_messages': 'Adds replies and assignments to the inbox.',
  '0053_the_list_that_staff_work_in': 'Lets staff review many held prices at once.',
  '0054_several_rules_a_deal': 'Allows a target price and a low-price alert for the same deal.',
  '0055_texts_of_deals': 'Makes price changes faster with a separate search index.',
  '0056_every_alphabet': 'Searches in every alphabet.',
  '0058_alerts_without_an_account': 'Adds price alerts by email, without an account.',
  '0059_what_a_key_may_do': 'Adds permissions to API keys. Existing keys keep theirs.',
  '0060_what_visitors_report': 'Lets visitors report expired deals and codes that fail.',
  '0061_reductions_that_are_checked':
    'Compares reductions that stores announce with the price log.',
  '0062_steps_of_prices': 'Makes the price filter precise for cheap products.',
  '0063_folded_texts': 'Searches in languages without spaces between words.',
  '0065_watched_searches': 'Adds watched searches and lists.',
  '0067_processes_of_a_site': 'Lists the running processes of the site.',
  '0068_what_a_favorite_cost': 'Shows how prices of favorites changed since they were saved.',
  '0069_fewer_indexes_a_price': 'Makes price changes faster.',
  '0072_standings_of_prices': 'Adds filters for real lows and recent price drops.',
  '0073_evidence_of_watched_searches':
    'Lets people watch lists of real lows and recent price drops.',
  '0074_searches_by_push': 'Adds browser notifications of watched searches.',
  '0075_searches_without_an_account': 'Adds watched searches by email, without an account.',
  '0076_forecasts': 'Shows how often a price fell from its present level.',
  '0078_pictures_in_the_database':
    'Stores new pictures in the database. Run `deals move-pictures` after the update, or set PICTURE_STORE=folder to keep the folder.',
  '0079_brands_of_deals': 'Adds filters by brand.',
  '0080_newest_texts': 'Makes searches for common words faster.',
  '0081_versions_of_a_site': 'Records which versions ran on this database.',
  '0082_files_of_every_build': 'Keeps pages working that visitors opened before an update.',
  '0083_newest_live_texts': 'Makes searches for live deals faster.',
  '0084_deals_of_a_place_that_end': 'Makes the filter bar of categories and stores faster.',
  '0085_drops_that_are_over': 'Ends the notice of a price drop once the price rises again.',
  '0087_reused_ids':
    'Holds feed rows that look like another product under the same id. Review them in the admin.',
  '0088_voided_prices': 'Lets staff void a logged price that was a mistake.',
  '0089_reference_prices':
    'Computes discounts from your own price log. Check the discount setting if you prefer the figures of stores.',
  '0090_alerts_that_stay': 'Adds price alerts that fire at every drop.',
  '0091_keys_that_are_found': 'Makes deletions faster.',
  '0092_currencies':
    'Stores a currency with each amount. Existing amounts get the currency of the settings: check it before the update.',
  '0093_alerts_in_lots': 'Makes price changes of deals with many alerts faster.',
  '0095_an_audience_that_grows': 'Keeps the outbox fast with millions of emails.',
  '0097_filters_of_watched_searches': 'Makes price changes faster if many searches are watched.',
  '0098_suspended_addresses':
    'Suspends newsletters and alerts to addresses that bounced or complained.',
  '0099_rollbacks_that_wait': 'Lowers the load of an idle site.',
  '0101_counts_of_people': 'Makes the counts of accounts and subscriptions faster.',
  '0102_no_columns_for_going_back':
    'Removes columns of `deals upgrade --back`. To go back, restore the backup of this update.',
  '0103_job_runs': 'Starts a new history of background jobs.',
  '0104_sellers_of_merchants':
    'Adds the seller of imported deals to merchants. Check this field for each merchant with a feed.',
};
