import { useLocation, useParams } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { loanPaths } from '../loans/loan-paths.ts';
import { paths } from '../paths.ts';
import { clientPoolPaths } from '../pools/pool-paths.ts';
import { votingPaths } from '../voting/voting-paths.ts';
import { say } from '../words/say.ts';
import { ProofFrame } from './proof-frame.tsx';
import { type AboutWhat, isAbout, isTotal, type TotalName, useProof, useProofAbout } from './proofs.queries.ts';

const books = (log: string) => (log === 'platform' ? paths.log() : `${paths.sacco(log)}/books`);

/** The page that a thing's proof belongs to. */
const pageOf: Readonly<Record<AboutWhat, (id: string) => string>> = {
  guarantee: loanPaths.guarantee,
  'pool-contract': clientPoolPaths.contract,
  ballot: votingPaths.vote,
  vote: votingPaths.vote,
  shares: books,
  savings: books,
  wallets: books,
};

/**
 * /profile/proofs/:journal, the proof of a member’s own movement; /profile/proofs/:what/:id, the proof of their signature, vote or part of a
 * total, or of a vote’s result.
 */
export function ProofPage() {
  const { what = '', id } = useParams();
  if (id === undefined) return <OfMovement journal={what} />;
  return isAbout(what) ? <About what={what} id={id} /> : <NotFoundPage />;
}

function OfMovement({ journal }: { journal: string }) {
  const { data, error, refetch } = useProof(journal);
  return (
    <ProofFrame
      back={[paths.wallet(), say('Wallet')]}
      lead={say('Your browser checks that this movement is in the log of the books.')}
      data={data}
      failure={error && { words: wordsFor(error), onAgain: () => void refetch() }}
    />
  );
}

/** Titles of the proof of a member's part of a total. */
const titles: Readonly<Record<TotalName, () => string>> = {
  shares: () => say('Your shares in the sacco’s books'),
  savings: () => say('Your savings in the sacco’s books'),
  wallets: () => say('Your money in the platform’s books'),
};

function About({ what, id }: { what: AboutWhat; id: string }) {
  const { data, error, refetch } = useProofAbout(what, id);
  const cameFromDashboard = (useLocation().state as { from?: string } | null)?.from === 'dashboard';
  return (
    <ProofFrame
      back={cameFromDashboard ? [paths.client(), say('Dashboard')] : [pageOf[what](id), say('Back')]}
      {...(isTotal(what)
        ? {
            title: titles[what](),
            lead: say(
              'Your browser checks that your part is in the sum of all members. The sum is taken once a day, soon after midnight.',
            ),
          }
        : { lead: say('Your browser checks that this is in the log of the books.') })}
      data={data}
      failure={error && { words: wordsFor(error), onAgain: () => void refetch() }}
    />
  );
}
