import { List } from '../../list.jsx';

export const dynamic = 'force-dynamic';

export default async function Category({ params, searchParams }) {
  return <List place={{ category: (await params).slug }} searchParams={searchParams} />;
}
