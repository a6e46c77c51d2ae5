import { say } from '../words/say.ts';
import { useOfferedProducts } from './loans.queries.ts';

/** Said before anybody pays a fee to join: the sacco offers no loan, or could decide about none now. */
export function NoLoansNow({ sacco }: { sacco: string }) {
  const { data } = useOfferedProducts(sacco);
  if (!data) return null;
  const { products, has_officials_to_lend: hasOfficials } = data;
  if (products.length > 0 && hasOfficials) return null;
  return (
    <p className="my-3 rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
      {products.length > 0
        ? say('This sacco lends nothing now: it has too few officials to decide about a loan and to pay it out.')
        : hasOfficials
          ? say('This sacco offers no loans yet')
          : say('This sacco offers no loans, and has too few officials to decide about one and to pay it out.')}
    </p>
  );
}
