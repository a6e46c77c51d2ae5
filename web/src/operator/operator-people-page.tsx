import type { IdentityDocument } from '@ushirika/contract/identity';
import type {
  FoundPerson,
  recordOperatorIdentityCheck,
  SuspensionAction,
  SuspensionAtDesk,
} from '@ushirika/contract/operator';
import { WITHDRAWAL_SHILLINGS_MIN } from '@ushirika/contract/wallet';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { mpesaNameWords } from '../identity/identity-words.ts';
import { SeenCardDialog } from '../identity/seen-card-dialog.tsx';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, Facts, FailureState, Tag } from '../ui/card.tsx';
import { TextField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { Ago, nameOf } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { useFoundPeople, useSuspensions } from './operator.queries.ts';
import { OperatorIdentityChecks } from './operator-identity-checks.tsx';
import { PayoutDialog } from './payout-dialog.tsx';
import { SuspensionDialog, suspensionLabel } from './suspension-dialog.tsx';

/** /operator/people: one person is found by what they say of themselves; and the accounts that are suspended. */
export function OperatorPeoplePage() {
  const [sought, setSought] = useState('');
  return (
    <>
      <Title>{say('People')}</Title>
      <h2 className="mb-1 text-title">{say('Find a person')}</h2>
      <p className="mb-4 max-w-[62ch] text-ink-2">
        {say('By the whole ID number or phone, as the person says it. Each search is kept in the log.')}
      </p>
      <ApiForm<'sought'>
        className="mb-5 grid max-w-xl gap-3 sm:grid-cols-[1fr_auto] sm:items-end"
        required={['sought']}
        emptyMessage={say('Enter an ID number or a phone.')}
        submit={async ({ sought: typed }) => setSought(typed.trim())}
      >
        <TextField
          label={say('ID Number or phone')}
          name="sought"
          autoComplete="off"
          autoCapitalize="characters"
          minLength={5}
          maxLength={30}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Find')}</SubmitButton>
      </ApiForm>
      {sought && <Found sought={sought} />}
      <Suspended />
      <OperatorIdentityChecks />
    </>
  );
}

function Found({ sought }: { sought: string }) {
  const { data, error, refetch } = useFoundPeople(sought);
  if (error) {
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  }
  if (!data) {
    return (
      <div className="grid gap-3">
        <Skeletons count={1} label={say('Loading...')} className="h-48 rounded-card" />
      </div>
    );
  }
  if (data.results.length === 0) {
    return (
      <EmptyState
        title={say('Nobody here has that number')}
        next={say('Ask the person to read it out once more: a single wrong digit finds nobody.')}
      />
    );
  }
  return (
    <ul className="grid gap-3">
      {data.results.map((person) => (
        <li key={person.id}>
          <PersonCard person={person} />
        </li>
      ))}
    </ul>
  );
}

function PersonCard({ person }: { person: FoundPerson }) {
  const { suspension } = person;
  return (
    <article className="card grid gap-x-10 gap-y-4 p-4 sm:p-5 md:grid-cols-2">
      <div>
        <h3 className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-lead">
          {nameOf(person)}
          {suspension ? <Tag tone="clay">{say('Suspended')}</Tag> : <Tag>{say('Open')}</Tag>}
        </h3>
        <Facts
          facts={[
            [say('ID Number'), person.id_number],
            [say('Phone'), `${person.phone} · ${person.phone_confirmed ? say('confirmed') : say('not confirmed')}`],
            [say('Registered'), <Ago key="since" iso={person.registered_at} />],
            [say('Suspended before'), String(person.earlier_suspensions)],
            [
              say('ID card'),
              person.identity.seen_at ? <Ago key="card" iso={person.identity.seen_at} /> : say('Not seen yet'),
            ],
            [say('Name at M-Pesa'), mpesaNameWords(person.identity.mpesa_name)],
          ]}
        />
      </div>
      <div className="grid content-start gap-3 rounded-box bg-sunken p-4">
        {suspension ? <About suspension={suspension} /> : <p className="text-ink-2">{whyNot(person)}</p>}
        <Decisions person={person} actions={person.actions} suspension={suspension} />
        {person.identity.may_record && <RecordCard person={person} />}
      </div>
    </article>
  );
}

function RecordCard({ person }: { person: FoundPerson }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="line" className="self-start max-md:w-full" onClick={() => setOpen(true)}>
        {say('Record an ID card')}
      </Button>
      {isOpen && (
        <SeenCardDialog
          name={nameOf(person)}
          send={({ document, number }) =>
            call<typeof recordOperatorIdentityCheck>('POST', '/operator/people/{id}/identity-checks', {
              params: { id: person.id },
              body: { document: document as IdentityDocument, number },
            })
          }
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function whyNot({ is_operator: isOperator, actions }: FoundPerson): string {
  if (isOperator) return say('An operator is not suspended here: the office is taken away first.');
  if (actions.length === 0)
    return say('Your suspension of this account lapsed, or you lifted it. For 90 days only another operator can.');
  return say(
    'A suspended account is signed out at once, and nothing leaves it. Its owner may sign in again to read, vote, complain and pay what they owe, and is told by SMS.',
  );
}

/** Who suspended it, why, and until when. */
function About({ suspension }: { suspension: SuspensionAtDesk }) {
  const { upheld_by: upheldBy, lapses_at: lapsesAt, wallet, payout } = suspension;
  return (
    <div className="grid gap-1.5">
      <p>{suspension.reason}</p>
      {suspension.upheld_reason && <p>{suspension.upheld_reason}</p>}
      <p className="text-small text-ink-2">
        {nameOf(suspension.suspended_by)} · <Ago iso={suspension.suspended_at} />
      </p>
      <p className="text-small text-ink-2">
        {upheldBy && say('Upheld by {name}: it stands until it is lifted.', { name: nameOf(upheldBy) })}
        {suspension.lift_asked_by &&
          ` ${say('{name} has asked to lift it. It takes another operator.', { name: nameOf(suspension.lift_asked_by) })} `}
        {lapsesAt && (
          <>
            {say('Without a second operator it ends')} <Ago iso={lapsesAt} />
          </>
        )}
      </p>
      <p className="num text-small">
        {say('In the wallet:')}{' '}
        <b>
          <Money shillings={wallet} />
        </b>
      </p>
      {payout && (
        <p className="text-small font-medium text-ochre-ink">
          {payout.state === 'waiting'
            ? say('Its payment is on its way.')
            : say('Its payment waits for a second operator.')}{' '}
          <Link className="link" to={paths.operatorProposals()}>
            {say('Two operators')}
          </Link>
        </p>
      )}
    </div>
  );
}

function Decisions({
  person,
  actions,
  suspension,
}: {
  person: { id: string; first_name: string; last_name: string };
  actions: readonly SuspensionAction[];
  suspension: SuspensionAtDesk | null;
}) {
  const [action, setAction] = useState<SuspensionAction | 'pay' | null>(null);
  if (actions.length === 0 && !action) return null;
  const mayPay = suspension !== null && suspension.payout === null && suspension.wallet >= WITHDRAWAL_SHILLINGS_MIN;
  return (
    <div className="flex flex-wrap gap-2 self-start max-md:*:grow">
      {actions.map((candidate) => (
        <Button
          key={candidate}
          look={candidate === 'suspend' ? 'clay' : candidate === 'uphold' ? 'soft' : 'line'}
          onClick={() => setAction(candidate)}
        >
          {suspensionLabel(candidate)}
        </Button>
      ))}
      {mayPay && (
        <Button look="line" onClick={() => setAction('pay')}>
          {say('Pay out')}
        </Button>
      )}
      {action === 'pay' && suspension && (
        <PayoutDialog person={person} wallet={suspension.wallet} onClose={() => setAction(null)} />
      )}
      {action && action !== 'pay' && (
        <SuspensionDialog person={person} action={action} onClose={() => setAction(null)} />
      )}
    </div>
  );
}

function Suspended() {
  const suspensions = useSuspensions();
  return (
    <section className="mt-8">
      <h2 className="mb-1 text-title">{say('Suspended accounts')}</h2>
      <p className="mb-4 max-w-[62ch] text-ink-2">
        {say('One operator suspends for 14 days, and lifts that alone. A second one upholds it. Else two lift it.')}
      </p>
      <DeskList
        pages={suspensions}
        empty={{
          title: say('No account is suspended'),
          next: say('Suspended accounts are listed here for all operators.'),
        }}
      >
        {(rows) => (
          <ul className="card px-4 sm:px-5">
            {rows.map((suspension) => (
              <li
                key={suspension.person.id}
                className="rule grid gap-x-6 gap-y-3 py-4 md:grid-cols-[minmax(0,1fr)_auto]"
              >
                <div className="min-w-0">
                  <p className="mb-1.5 font-semibold">{nameOf(suspension.person)}</p>
                  <About suspension={suspension} />
                </div>
                <Decisions person={suspension.person} actions={suspension.actions} suspension={suspension} />
              </li>
            ))}
          </ul>
        )}
      </DeskList>
    </section>
  );
}
