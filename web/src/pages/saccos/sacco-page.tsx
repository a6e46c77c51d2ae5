import type { SaccoDetail } from '@ushirika/contract/saccos';
import { Link, useNavigate, useParams } from 'react-router';
import { CallFailure, wordsFor } from '../../api/failure.ts';
import { ComplaintsCard } from '../../complaints/complaint-figures.tsx';
import { holdsOffice } from '../../identity/holds-office.ts';
import { useProfile } from '../../identity/profile.queries.ts';
import { NotFoundPage } from '../../layouts/not-found-page.tsx';
import { Title } from '../../layouts/title.tsx';
import { loanPaths } from '../../loans/loan-paths.ts';
import { OfferedProducts } from '../../loans/offered-products.tsx';
import { MarketFigures } from '../../market/market-figures.tsx';
import { paths } from '../../paths.ts';
import { EnterAsOfficial } from '../../saccos/enter-as-official.tsx';
import { enterSacco } from '../../saccos/enter-sacco.ts';
import { officeWords } from '../../saccos/office-words.ts';
import { SaccoLogo } from '../../saccos/sacco-logo.tsx';
import { useSaccoDetail } from '../../saccos/saccos.queries.ts';
import { addedMembers, shownMembers } from '../../saccos/shown-members.ts';
import { SuspensionNotice } from '../../saccos/suspension-notice.tsx';
import { useSaccoTerms } from '../../saccos/terms.queries.ts';
import { rememberPage, useSession } from '../../session/session.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card, EmptyState, Facts, FailureState, Tag } from '../../ui/card.tsx';
import { formatCount, LongDate, Money } from '../../ui/figures.tsx';
import { FoldedPart } from '../../ui/fold.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { say } from '../../words/say.ts';
import { ApplicationPanel } from './application-panel.tsx';
import { notLookedAt, Rating, SaccoActions, type SaccoActs } from './sacco-card.tsx';
import { useSaccoDialogs } from './sacco-dialogs.tsx';

/** /saccos/:id: what anyone may know of one sacco. */
export function SaccoPage() {
  const { id = '' } = useParams();
  const { data: sacco, error, isPending, refetch } = useSaccoDetail(id);
  const { dialogs, ...acts } = useSaccoDialogs();
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <div className="wrap pt-2 pb-8">
      <BackLink to={paths.saccos()}>{say('All saccos')}</BackLink>
      {isPending && <Skeletons count={3} label={say('Loading...')} className="mb-4 h-40 rounded-card" />}
      {error && !sacco && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {sacco && <Sacco sacco={sacco} acts={acts} />}
      {dialogs}
    </div>
  );
}

function Sacco({ sacco, acts }: { sacco: SaccoDetail; acts: SaccoActs }) {
  // A sacco always has a description: where there is none, nobody has looked at it yet.
  const isHidden = sacco.description === '';
  const isOfficialOnly = holdsOffice(useProfile().data, sacco.id) && !isIn(sacco);
  // A sacco that waits has no members yet, so nobody complains about it.
  const waits = sacco.application?.state === 'pending' || sacco.application?.state === 'rejected';
  return (
    <>
      <Title>{sacco.name}</Title>
      <div className="flex flex-wrap items-start gap-5">
        <SaccoLogo sacco={sacco} isActive={sacco.status === 'active'} large />
        <div className="min-w-0 grow basis-72">
          <h1 className="text-head">{sacco.name}</h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 text-ink-2">
            {sacco.reg_no && <span>{sacco.reg_no} ·</span>}
            <Rating rating={sacco.rating} /> ·{' '}
            {say('{n} Active Members', { n: formatCount(shownMembers(sacco.members)) })}
          </p>
          <p className={`mt-3 max-w-[70ch] ${isHidden ? 'text-ink-2' : ''}`}>{sacco.description || notLookedAt()}</p>
          <p className="mt-3">
            {isHidden ? null : sacco.sasra_number ? (
              <Tag>{say('SASRA number {number}', { number: sacco.sasra_number })}</Tag>
            ) : (
              <Tag tone="plain">{say('Not verified with SASRA')}</Tag>
            )}
          </p>
        </div>
        <div className="grid gap-3">
          <SaccoActions sacco={sacco} acts={acts} enter={say('Access Sacco')} />
          {isOfficialOnly && <EnterAsOfficial sacco={sacco} />}
        </div>
      </div>
      <SuspensionNotice sacco={sacco} className="mt-6" />
      <ApplicationPanel sacco={sacco} />
      <TooFewOfficials sacco={sacco} />
      <OpenAtActivation points={sacco.open_at_activation} />
      <div className="mt-8 grid gap-4 lg:grid-cols-3">
        <Terms sacco={sacco} />
        <Figures sacco={sacco} hasBooks={!waits} />
        {!isHidden && <Officials sacco={sacco} />}
        {sacco.status === 'active' && (
          <div className="lg:col-span-3">
            <Loans sacco={sacco} acts={acts} />
          </div>
        )}
        {sacco.status === 'active' && (
          <div className="lg:col-span-3">
            <MarketFigures sacco={sacco.id} />
          </div>
        )}
        {!isHidden && !waits && (
          <div className="lg:col-span-3">
            <ComplaintsCard sacco={sacco} />
          </div>
        )}
      </div>
    </>
  );
}

const isIn = ({ membership }: SaccoDetail) => membership !== null && membership !== 'exited';

/** A member goes on to the application; others join first, and a visitor signs in and comes back here. */
function Loans({ sacco, acts }: { sacco: SaccoDetail; acts: SaccoActs }) {
  const navigate = useNavigate();
  const session = useSession();
  const isMember = isIn(sacco);
  const apply = (product: string) => {
    if (!session) {
      rememberPage(paths.sacco(sacco.id));
      void navigate(paths.login());
    } else if (!isMember) acts.join(sacco);
    else if (enterSacco(sacco)) void navigate(loanPaths.apply({ product }));
  };
  return <OfferedProducts sacco={sacco.id} isMember={session !== null && isMember} onApply={apply} />;
}

function Terms({ sacco: { id, parameters, terms_next: next } }: { sacco: SaccoDetail }) {
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('Terms')}</h2>
      <Facts
        facts={[
          [say('Registration fee'), <Money key="fee" shillings={parameters.reg_fee} />],
          [say('Share value'), <Money key="value" shillings={parameters.share_value} />],
          [say('Minimum shares'), formatCount(parameters.min_shares)],
          [
            say('One member holds at most'),
            say('{part}% of the shares, from {n} holders on', {
              part: parameters.holding_limit_percentage,
              n: parameters.holding_limit_from,
            }),
          ],
          [say('Notice before leaving'), say('{n} {n, plural, one {day} other {days}}', { n: parameters.exit_days })],
        ]}
      />
      {next && <p className="num mt-3 rounded-box bg-ochre-tint px-4 py-3 text-small">{next}</p>}
      <EarlierTerms sacco={id} />
    </Card>
  );
}

/** Since when the terms hold, and which held before. */
function EarlierTerms({ sacco }: { sacco: string }) {
  const { data } = useSaccoTerms(sacco);
  const [now, ...earlier] = data?.versions ?? [];
  if (!now) return null;
  return (
    <div className="num mt-3 text-small text-ink-2">
      <p>
        {say('Fee, share value and minimum hold since')} <LongDate iso={now.valid_from} />
        {now.vote && (
          <>
            {' · '}
            <Link className="link" to={paths.votingProposal(now.vote)}>
              {say('Decided by vote')}
            </Link>
          </>
        )}
      </p>
      {now.kept_until && now.kept_shares !== null && (
        <p className="mt-1">
          {say('Members who hold {n, plural, one {1 share} other {# shares}} or more keep their full rights until', {
            n: now.kept_shares,
          })}{' '}
          <LongDate iso={now.kept_until} />
        </p>
      )}
      {earlier.length > 0 && (
        <details className="mt-1">
          <summary className="link min-h-11 cursor-pointer py-2 font-semibold sm:min-h-7 sm:py-1">
            {say('Before that')}
          </summary>
          <ul className="grid gap-1">
            {earlier.map(({ valid_from, reg_fee, min_shares, share_value }) => (
              <li key={valid_from}>
                {say('since')} <LongDate iso={valid_from} />: {say('Registration fee')} <Money shillings={reg_fee} />,{' '}
                {say('Share value')} <Money shillings={share_value} />, {say('Minimum shares')}{' '}
                {formatCount(min_shares)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Figures({ sacco: { id, figures }, hasBooks }: { sacco: SaccoDetail; hasBooks: boolean }) {
  const added = addedMembers();
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('Figures from its books')}</h2>
      <Facts
        facts={[
          [say('Share capital'), <Money key="capital" shillings={figures.share_capital} />],
          [say('Money held for it'), <Money key="held" shillings={figures.money_held} />],
          [say('Shares issued'), formatCount(figures.shares_issued)],
          [say('Members with shares'), formatCount(figures.share_holders)],
          [say('Refunds overdue'), formatCount(figures.overdue_refunds)],
        ]}
      />
      {added > 0 && (
        <p className="num mt-2 text-small text-ink-2">
          {say('The number of active members above is the true number of members plus {n}.', { n: formatCount(added) })}
        </p>
      )}
      <p className="mt-2 text-small text-ink-2">
        {say('As of')} <LongDate iso={figures.as_of} time />
      </p>
      {hasBooks && (
        <Link
          className="link mt-2 inline-block min-h-11 content-center font-semibold sm:min-h-7"
          to={`${paths.sacco(id)}/books`}
        >
          {say('Check the books yourself')}
        </Link>
      )}
    </Card>
  );
}

/** Officials and members read which points of the checklist an operator left open at the activation. */
function OpenAtActivation({ points }: { points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <div className="mt-5">
      <FoldedPart
        title={say(
          '{n, plural, one {# point of the checklist was} other {# points of the checklist were}} open at the activation',
          {
            n: points.length,
          },
        )}
      >
        <ul className="list-disc pl-6 text-small text-ink-2">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </FoldedPart>
    </div>
  );
}

/** Members read why nothing is decided, and who sees to it. */
function TooFewOfficials({ sacco }: { sacco: SaccoDetail }) {
  const isMember = isIn(sacco);
  if (!isMember || sacco.officials_lack === null) return null;
  const words = {
    officials: say('Your sacco has no officials. The operator sees that, and can name others. Loans wait until then.'),
    second_official: say(
      'Your sacco has one official alone. The operator sees that, and can name others. Loans wait until then.',
    ),
    chair: say('Your sacco has no chair. The operator sees that, and can name one.'),
  };
  return (
    <p role="status" className="mt-5 rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
      {words[sacco.officials_lack]}
    </p>
  );
}

function Officials({ sacco: { officials, officials_lack } }: { sacco: SaccoDetail }) {
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-lead">{say('Officials')}</h2>
      {officials.length === 0 && (
        <EmptyState
          title={officials_lack === null ? say('None recorded yet') : say('No officials now')}
          next={
            officials_lack === null
              ? say('A sacco names its officials before it is activated.')
              : say('The operator sees that, and can name others.')
          }
        />
      )}
      <ul>
        {officials.map(({ name, office, until }) => (
          <li key={`${office}${name}`} className="rule py-2.5">
            <p className="font-semibold">{name}</p>
            <p className="text-small text-ink-2">
              {officeWords(office)} · {say('until')} <LongDate iso={until} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
