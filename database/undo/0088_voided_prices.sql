drop view valid_prices;
drop table price_voids;
drop function price_voids_settle();
drop function settle_prices(bigint[]);
drop function arm_voided_alerts(bigint[]);
drop function staff_wait();
