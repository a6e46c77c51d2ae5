import { Title } from '../layouts/title.tsx';
import { useSacco } from '../session/session.ts';
import { say } from '../words/say.ts';
import { MyGuarantees, MyRequests, MyWithdrawals } from './my-guarantees.tsx';
import { MyPositions } from './my-positions.tsx';
import { PoolDisputes } from './pool-disputes.tsx';
import { PoolGrid } from './pools-page.tsx';
import { StewardReviews } from './steward-reviews.tsx';
import { TrustCard } from './trust-card.tsx';

/** /client/guarantor-pools: how I stand in pools, what waits for me, my trust score, and the pools that I may join. */
export function ClientPoolsPage() {
  const sacco = useSacco();
  return (
    <>
      <Title>{say('Guarantor Pools')}</Title>
      <PoolGrid sacco={sacco?.id}>
        <div className="mt-5 grid items-start gap-4 lg:grid-cols-[1.35fr_1fr]">
          <div className="grid min-w-0 gap-4">
            <MyPositions sacco={sacco?.id} />
            <StewardReviews />
            <PoolDisputes sacco={sacco?.id} />
            <MyRequests />
            <MyGuarantees as="borrower" />
            <MyGuarantees as="backer" />
            <MyWithdrawals />
          </div>
          <TrustCard />
        </div>
        <h2 className="mt-8 text-title">{say('All pools')}</h2>
      </PoolGrid>
    </>
  );
}
