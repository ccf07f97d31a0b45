import { List } from '../../list.jsx';

export const dynamic = 'force-dynamic';

export default async function Merchant({ params, searchParams }) {
  return <List place={{ merchant: (await params).slug }} searchParams={searchParams} />;
}
