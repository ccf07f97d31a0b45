drop table deal_forecasts, forecasts, forecast_pass;
