import { Title } from '../layouts/title.tsx';
import { useSacco } from '../session/session.ts';
import { say } from '../words/say.ts';
import { PoolGrid } from './pools-page.tsx';

/** /client/guarantor-pools: the pools of the chosen sacco and those open to members of any. */
export function ClientPoolsPage() {
  const sacco = useSacco();
  return (
    <>
      <Title>{say('Guarantor Pools')}</Title>
      <PoolGrid sacco={sacco?.id} />
    </>
  );
}
