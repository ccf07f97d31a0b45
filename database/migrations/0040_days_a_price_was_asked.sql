-- `price_proofs.price` is negative while out of stock, so that only days with an available price count.
update price_proofs p set price = s.price
  from (select k.deal_id, array_agg(case when l.availability = 'out_of_stock' then -step.price else step.price end order by step.n) as price
          from price_proofs k, unnest(k.at, k.price) with ordinality step (at, price, n)
          left join lateral (
            select availability from price_log l where l.deal_id = k.deal_id and l.at <= to_timestamp((step.at + 1) / 1000.0)
             order by l.at desc, l.id desc limit 1) l on true
         where k.deal_id in (select deal_id from price_log where availability = 'out_of_stock')
         group by k.deal_id) s
 where s.deal_id = p.deal_id;
