-- Lists sorted by price look up the merchants that hide prices; usually there are none.
create index merchants_hide_price on merchants (id) where hide_price_after_hours is not null;
