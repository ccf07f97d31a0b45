import type { AccountTables } from '#database/schema/account-tables.ts';
import type { AlertTables } from '#database/schema/alert-tables.ts';
import type { CatalogTables } from '#database/schema/catalog-tables.ts';
import type { ChannelTables } from '#database/schema/channel-tables.ts';
import type { CouponTables } from '#database/schema/coupon-tables.ts';
import type { EarningTables } from '#database/schema/earning-tables.ts';
import type { EvidenceTables } from '#database/schema/evidence-tables.ts';
import type { FeedTables } from '#database/schema/feed-tables.ts';
import type { ForecastTables } from '#database/schema/forecast-tables.ts';
import type { MailTables } from '#database/schema/mail-tables.ts';
import type { MovedPriceTables } from '#database/schema/moved-price-tables.ts';
import type { ProductTables } from '#database/schema/product-tables.ts';
import type { ProgramTables } from '#database/schema/program-tables.ts';
import type { SiteTables } from '#database/schema/site-tables.ts';
import type { TrashTables } from '#database/schema/trash-tables.ts';

/**
 * The database's tables and rows, as `migrations/` creates them. Money is an integer in minor
 * units, times are `Date`, and ids are numbers: `connect.ts` parses bigint, and our ids stay far
 * below 2^53.
 */
export interface Database
  extends
    CatalogTables,
    ChannelTables,
    CouponTables,
    AccountTables,
    AlertTables,
    MailTables,
    FeedTables,
    ForecastTables,
    EarningTables,
    EvidenceTables,
    MovedPriceTables,
    ProductTables,
    ProgramTables,
    SiteTables,
    TrashTables {}
