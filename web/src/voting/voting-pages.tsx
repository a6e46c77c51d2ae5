import { useParams } from 'react-router';
import { BylawsPage } from './bylaws-page.tsx';
import { DraftVotePage } from './draft-page.tsx';
import { HowPage } from './how-page.tsx';
import { ClientVotePage } from './vote-page.tsx';
import { ClientVotesPage } from './votes-page.tsx';

/** /client/voting-proposals and what is below it. They load as one: each page that loads by itself makes every first view larger. */
export function ClientVotingPages() {
  const { id } = useParams();
  if (id === undefined) return <ClientVotesPage />;
  if (id === 'by-laws') return <BylawsPage />;
  if (id === 'how') return <HowPage />;
  return id === 'new' ? <DraftVotePage /> : <ClientVotePage />;
}
