import { wordsFor } from '../../api/failure.ts';
import { useClosed } from '../../identity/use-closed.ts';
import { Title } from '../../layouts/title.tsx';
import { paths } from '../../paths.ts';
import { useSaccos } from '../../saccos/saccos.queries.ts';
import { addedMembers } from '../../saccos/shown-members.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState, FailureState, PageHead } from '../../ui/card.tsx';
import { formatCount } from '../../ui/figures.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { SearchBox, useTypedSearch } from '../../ui/search-box.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { say } from '../../words/say.ts';
import { SaccoCard } from './sacco-card.tsx';
import { useSaccoDialogs } from './sacco-dialogs.tsx';

/** /saccos: the list below the top navigation. */
export function SaccosPage() {
  return (
    <div className="wrap pt-4 pb-8">
      <SaccoList />
    </div>
  );
}

/** The list itself; in its plain form, where sign-up leads, it is /saccos-list. */
export function SaccoList() {
  const { sought: name, typed, setTyped } = useTypedSearch('name');
  const { dialogs, register, ...acts } = useSaccoDialogs();
  const saccos = useSaccos(name);
  return (
    <>
      <Title>{say('Saccos')}</Title>
      <PageHead
        title={say('Saccos')}
        lead={say('Find one that you trust. Each has a page with its terms, its officials and figures from its books.')}
      />
      <div className="my-5 flex flex-wrap gap-3">
        <SearchBox label={say('Search by name')} typed={typed} onType={setTyped} />
        <Button className="max-sm:grow" disabledReason={useClosed()} onClick={register}>
          {say('Register Your Sacco')}
        </Button>
        <LinkButton to={paths.mySaccos()} look="line" className="max-sm:grow">
          {say('My Subscribed Sacco')}
        </LinkButton>
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19.5rem),1fr))] gap-4">
        {saccos.isPending && <Skeletons count={6} label={say('Loading...')} className="h-68 rounded-card" />}
        {saccos.rows?.map((sacco) => (
          <SaccoCard key={sacco.id} sacco={sacco} acts={acts} />
        ))}
      </div>
      {saccos.isError && !saccos.rows && (
        <FailureState words={wordsFor(saccos.error)} again={say('Try again')} onAgain={() => void saccos.refetch()} />
      )}
      {saccos.rows?.length === 0 && <NoSaccos name={name} onRegister={register} onAll={() => setTyped('')} />}
      <LoadMore list={saccos} />
      {addedMembers() > 0 && (
        <p className="num mt-4 text-small text-ink-2">
          {say('Each number of active members here is the true number of members plus {n}.', {
            n: formatCount(addedMembers()),
          })}
        </p>
      )}
      {dialogs}
    </>
  );
}

function NoSaccos({ name, onRegister, onAll }: { name: string; onRegister: () => void; onAll: () => void }) {
  return (
    <EmptyState
      title={name ? say('No sacco has “{name}” in its name', { name }) : say('No saccos yet')}
      next={say('Try a shorter part of the name, or register the first sacco of your group.')}
    >
      {name && (
        <Button look="line" onClick={onAll}>
          {say('Show all')}
        </Button>
      )}
      <Button onClick={onRegister}>{say('Register Your Sacco')}</Button>
    </EmptyState>
  );
}
