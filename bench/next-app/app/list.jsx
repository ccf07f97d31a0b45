import { createHash } from 'node:crypto';
import { cookies } from 'next/headers';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const perPage = 24;

const orders = {
  newest: 'd.created_at desc, d.id desc',
  discount: 'd.discount_percent desc nulls last, d.id desc',
  best: 'd.observed_percent desc nulls last, d.created_at desc, d.id desc',
  price_low: 'd.sale_price, d.id',
  price_high: 'd.sale_price desc, d.id desc',
};

/** The filters of an address that our list has as well: each with its column and comparison. */
const filters = {
  category: 'd.category_id = (select id from categories where slug = ?)',
  merchant: 'd.merchant_id = (select id from merchants where slug = ?)',
  status: 'd.status = ?',
  seller: 'd.seller_type = ?',
  off: 'd.discount_percent >= ?::numeric',
  min: 'd.sale_price >= 100 * ?::numeric',
  max: 'd.sale_price <= 100 * ?::numeric',
};
const types = { coupon: 'd.coupon_code is not null', featured: 'd.is_featured' };

/**
 * Renders the cards of our list with the hearts of a signed-in visitor. Leaves out evidence of
 * earlier prices, counts of filter options, and everything around the list.
 */
export async function List({ place, searchParams }) {
  const address = { ...(await searchParams), ...place };
  const [user, { deals, total }] = await Promise.all([findUser(), findDeals(address)]);
  const favorites = user ? await findFavorites(user.id) : null;
  const page = Number(address.page ?? 1);
  return (
    <main>
      <h1>All Deals</h1>
      <p>{user ? user.full_name : <a href="/auth">Sign In</a>}</p>
      <p>{`${total} deals`}</p>
      {deals.map((deal) => (
        <Card key={deal.id} deal={deal} isFavorite={favorites?.has(deal.id)} />
      ))}
      {page * perPage < total ? <a href={`?page=${page + 1}`}>Next page</a> : null}
    </main>
  );
}

async function findUser() {
  const token = (await cookies()).get('session')?.value;
  if (!token) return null;
  const { rows } = await pool.query({
    name: 'user',
    text: `select u.id, u.full_name from sessions s join users u on u.id = s.user_id
            where s.token = $1 and s.expires_at > now() and u.suspended_at is null
              and s.role_version = u.role_version`,
    values: [createHash('sha256').update(token).digest('base64url')],
  });
  return rows[0] ?? null;
}

async function findFavorites(userId) {
  const text = 'select deal_id from user_favorites where user_id = $1';
  const { rows } = await pool.query({ name: 'favorites', text, values: [userId] });
  return new Set(rows.map((row) => row.deal_id));
}

async function findDeals(address) {
  const values = [];
  const parts = Object.entries(filters).flatMap(([name, condition]) => {
    if (address[name] === undefined) return [];
    values.push(address[name]);
    return condition.replace('?', `$${values.length}`);
  });
  if (types[address.type]) parts.push(types[address.type]);
  const isLive =
    'd.is_active and not d.is_expired and (d.expires_at is null or d.expires_at > now())';
  const where = [isLive, ...parts].join(' and ');
  const order = orders[address.sort] ?? orders.newest;
  const offset = (Number(address.page ?? 1) - 1) * perPage;
  const [found, counted] = await Promise.all([
    pool.query(
      `select d.id, d.title, d.slug, left(d.description, 280) as description, d.image_url, d.sale_price, d.original_price,
              d.discount_percent, d.coupon_code, d.status, d.seller_type, d.expires_at, m.name as merchant
         from deals d join merchants m on m.id = d.merchant_id
        where ${where} order by ${order} limit ${perPage} offset ${offset}`,
      values,
    ),
    pool.query(
      `select count(*) from (select from deals d where ${where} limit 12000) found`,
      values,
    ),
  ]);
  return { deals: found.rows, total: Number(counted.rows[0].count) };
}

function Card({ deal, isFavorite }) {
  const { sale_price: now, original_price: was } = deal;
  return (
    <article>
      {deal.image_url ? (
        <img src={deal.image_url} alt="" width={640} height={480} loading="lazy" decoding="async" />
      ) : null}
      {isFavorite === undefined ? null : <Heart deal={deal} isOn={isFavorite} />}
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

function Heart({ deal, isOn }) {
  return (
    <form method="post" action="/favorites">
      <input type="hidden" name="deal" value={deal.id} />
      <button type="submit" aria-pressed={isOn} aria-label={`Favorite: ${deal.title}`}>
        {isOn ? '♥' : '♡'}
      </button>
    </form>
  );
}
