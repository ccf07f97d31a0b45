import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import { formatMoney } from '#app/platform/money.ts';
import styles from './alert-form.module.css';

/** The deal facts shown in the dialog. */
export interface AlertDeal {
  id: number;
  title: string;
  picture: string | null;
  sale_price: number;
  merchantName: string;
}

type SummarisedDeal = Omit<AlertDeal, 'sale_price'> & { sale_price: number | null };

export function AlertDealSummary({ deal, currency }: { deal: SummarisedDeal; currency: string }) {
  return (
    <div className={styles.deal}>
      <DealPicture src={deal.picture} alt="" title={deal.title} sizes="5rem" most={320} />
      <div>
        <strong>{deal.title || 'Deal Title'}</strong>
        <span className="small">{deal.merchantName || 'Unknown Merchant'}</span>
        {deal.sale_price === null ? null : (
          <span>Current Price: {formatMoney(deal.sale_price, currency)}</span>
        )}
      </div>
    </div>
  );
}
