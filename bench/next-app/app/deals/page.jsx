import pg from 'pg';

export const dynamic = 'force-dynamic';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** What the cards of our list say and show, without what is said of a price's past. */
export default async function Deals() {
  const { rows } = await pool.query(`
    select d.id, d.title, d.slug, left(d.description, 280) as description, d.image_url, d.sale_price, d.original_price,
           d.discount_percent, d.coupon_code, d.status, d.seller_type, d.expires_at, m.name as merchant
      from deals d join merchants m on m.id = d.merchant_id
     where d.is_active and not d.is_expired and (d.expires_at is null or d.expires_at > now())
     order by d.created_at desc, d.id desc limit 24`);
  return (
    <main>
      <h1>All Deals</h1>
      {rows.map((deal) => (
        <Card key={deal.id} deal={deal} />
      ))}
    </main>
  );
}

function Card({ deal }) {
  const { sale_price: now, original_price: was } = deal;
  return (
    <article>
      {deal.image_url ? (
        <img src={deal.image_url} alt="" width={640} height={480} loading="lazy" decoding="async" />
      ) : null}
      {deal.discount_percent ? <span>{`−${deal.discount_percent}%`}</span> : null}
      <p>
        <span>{deal.merchant}</span> <span>{deal.status}</span> <span>{deal.seller_type}</span>
      </p>
      <h2>
        <a href={`/deals/${deal.slug}`}>{deal.title}</a>
      </h2>
      <p>{deal.description}</p>
      <p>
        <strong>{money.format(now / 100)}</strong>
        {was ? <s>{money.format(was / 100)}</s> : null}
        {was ? <span>{`Save ${money.format((was - now) / 100)}`}</span> : null}
      </p>
      {deal.coupon_code ? <code>{deal.coupon_code}</code> : null}
      {deal.expires_at ? <p>{`Ends ${deal.expires_at.toISOString()}`}</p> : null}
      <a href={`/out/${deal.id}`} target="_blank" rel="sponsored nofollow noopener">
        Get Deal
      </a>
      <a href={`/deals/${deal.slug}`}>View Deal</a>
    </article>
  );
}
