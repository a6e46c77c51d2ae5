import { wordsFor } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Card, Facts, FailureState } from '../ui/card.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { methodWords } from './loan-words.ts';
import { useOfferedProducts } from './loans.queries.ts';
import { NoLoansNow } from './no-loans-now.tsx';
import { costInShort, factsOf } from './product-cards.tsx';
import { StoppedLoans } from './stopped-loans.tsx';

/** On a sacco's public page: what it lends to its members and on which terms, and the way to apply. */
export function OfferedProducts({
  sacco,
  isMember,
  onApply,
}: {
  sacco: string;
  /** Members read also what is stopped for a time. */
  isMember: boolean;
  onApply: (product: string) => void;
}) {
  const { data, error, refetch } = useOfferedProducts(sacco);
  return (
    <Card className="p-5">
      <h2 className="mb-1 text-lead">{say('What this sacco lends')}</h2>
      {!data && error && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {!data && !error && <Skeletons count={1} label={say('Loading...')} className="h-60 rounded-box" />}
      {data?.products.length === 0 && <NoLoansNow sacco={sacco} />}
      {data && data.products.length > 0 && (
        <>
          <p className="mb-3 text-small text-ink-2">{say('To its members. These terms hold now.')}</p>
          <NoLoansNow sacco={sacco} />
          <ul className="grid gap-x-10 gap-y-1 md:grid-cols-2 xl:grid-cols-3">
            {data.products.map((product) => (
              <li key={product.id} className="min-w-0">
                <FoldedPart
                  title={<h3 className="inline text-body">{product.name}</h3>}
                  sum={costInShort(product)}
                  openWhenWide
                >
                  <p className="text-small text-ink-2">{methodWords(product.method)}</p>
                  <Facts facts={factsOf(product)} />
                  <Button
                    look="soft"
                    className="mt-2 w-full"
                    aria-label={`${say('Apply for a loan')}: ${product.name}`}
                    onClick={() => onApply(product.id)}
                  >
                    {say('Apply for a loan')}
                  </Button>
                </FoldedPart>
              </li>
            ))}
          </ul>
        </>
      )}
      {data && <StoppedLoans sacco={isMember ? sacco : undefined} offered={data.products} />}
    </Card>
  );
}
