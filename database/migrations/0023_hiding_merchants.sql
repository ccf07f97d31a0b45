-- Lists by price ask which merchants hide theirs: mostly none.
create index merchants_hide_price on merchants (id) where hide_price_after_hours is not null;
