import { List } from '../list.jsx';

export const dynamic = 'force-dynamic';

export default function Deals({ searchParams }) {
  return <List searchParams={searchParams} />;
}
