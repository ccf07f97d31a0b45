import type { ColumnType, Generated } from 'kysely';

/** Tables for price forecasts. */
export interface ForecastTables {
  /**
   * The frequency of price drops from the current level, computed each night. Shares from 0 to 1.
   */
  deal_forecasts: {
    deal_id: number;
    made_on: ColumnType<string, string, string>;
    price: number;
    share: number;
    low: number;
    high: number;
    logged_days: number;
    near_days: number;
  };
  /**
   * A sample of forecasts that are scored later. `fell` stays null if the outcome cannot be known.
   */
  forecasts: {
    deal_id: number;
    made_on: ColumnType<string, string, string>;
    price: number;
    share: number;
    judged_on: ColumnType<string, string | undefined, string> | null;
    fell: boolean | null;
  };
  forecast_pass: {
    is_only: Generated<boolean>;
    made_on: string | null;
    deal_next: number | null;
    is_hidden: Generated<boolean>;
  };
}
