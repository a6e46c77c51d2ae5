import { say } from '../words/say.ts';
import { useOfferedProducts } from './loans.queries.ts';

/** Said before anybody pays a fee to join: the sacco could decide about no loan now. */
export function NoLoansNow({ sacco }: { sacco: string }) {
  const { data } = useOfferedProducts(sacco);
  if (!data || data.lends_now || data.products.length === 0) return null;
  return (
    <p className="my-3 rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
      {say('This sacco lends nothing now: it has too few officials to decide about a loan and to pay it out.')}
    </p>
  );
}
