import { loanPaths } from '../../loans/loan-paths.ts';
import { paths } from '../../paths.ts';
import { useSession } from '../../session/session.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { say } from '../../words/say.ts';
import { GuaranteePicture, LoanPicture, TradingPicture, VotePicture } from './pictures.tsx';

/** The part of the landing page below its first screen. */
export function LandingMore() {
  return (
    <>
      <Modules />
      <HowItWorks />
      <Closing />
    </>
  );
}

function Modules() {
  const session = useSession();
  const modules = [
    {
      title: say('Guarantor management'),
      words: say(
        'Pool small positions with people you trust. The pool stands behind a loan, at a price that everyone can work out.',
      ),
      path: paths.guarantorPools(),
      link: say('See the pools'),
      Picture: GuaranteePicture,
    },
    {
      title: say('Loan tracking'),
      words: say(
        'The page of each sacco says what it lends and what that costs. See the whole schedule before you sign, and what is still owed to the cent.',
      ),
      path: session ? loanPaths.loans() : paths.saccos(),
      link: session ? say('My loans') : say('See what saccos lend'),
      Picture: LoanPicture,
    },
    {
      title: say('Share trading'),
      words: say(
        'Shares change hands between members at a price that both agreed to: best price first, then who came first.',
      ),
      path: paths.shareTrading(),
      link: say('How trading works'),
      Picture: TradingPicture,
    },
    {
      title: say('Voting'),
      words: say(
        'One member, one vote, from any phone. A change that passes is carried out, and the count can be checked.',
      ),
      path: paths.votingProposals(),
      link: say('How voting works'),
      Picture: VotePicture,
    },
  ];
  return (
    <section aria-label={say('What you can do')} className="wrap grid gap-14 pt-20 lg:gap-20">
      {modules.map(({ title, words, path, link, Picture }) => (
        <div key={title} className="group grid items-center gap-6 lg:grid-cols-2 lg:gap-16">
          <div className="lg:group-even:order-2">
            <h2 className="text-head">{title}</h2>
            <p className="mt-3 mb-4 max-w-[48ch] text-lead text-ink-2">{words}</p>
            <LinkButton to={path} look="soft">
              {link}
              <Icon name="arrow" className="size-4.5" />
            </LinkButton>
          </div>
          <Picture />
        </div>
      ))}
    </section>
  );
}

function HowItWorks() {
  const steps = [
    [say('Sign up'), say('Your ID number, your phone, a password. Two minutes, from any phone.')],
    [say('Top up by M-Pesa'), say('A prompt comes to your phone; your PIN confirms it. The money is in your wallet.')],
    [
      say('Join and own'),
      say(
        'Pick a sacco, pay its registration fee, buy your first shares. From then on every movement has a receipt that your browser checks.',
      ),
    ],
  ] as const;
  return (
    <section aria-labelledby="how" className="wrap pt-20">
      <h2 id="how" className="text-head">
        {say('How it works')}
      </h2>
      <ol className="mt-6 grid gap-4 md:grid-cols-3">
        {steps.map(([title, words], index) => (
          <li key={title} className="card p-6">
            <span className="grid size-10 place-items-center rounded-full bg-forest font-bold text-on-forest">
              {index + 1}
            </span>
            <h3 className="mt-4 text-lead">{title}</h3>
            <p className="mt-1 text-ink-2">{words}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Closing() {
  const session = useSession();
  return (
    <section className="wrap pt-20">
      <div className="night grid justify-items-start gap-4 overflow-hidden rounded-card p-[clamp(24px,5vw,56px)]">
        <h2 className="text-head text-on-night">{say('Umoja ni nguvu: in unity there is strength.')}</h2>
        <p className="max-w-[52ch] text-lead text-on-night-2">
          {say('Bring your chama, or find a sacco that fits you. Looking around costs nothing.')}
        </p>
        <div className="mt-2 flex flex-wrap gap-3">
          <LinkButton to={session ? paths.mySaccos() : paths.register()} look="night-main">
            {session ? say('My saccos') : say('Sign Up')}
          </LinkButton>
          <LinkButton to={paths.saccos()} look="night">
            {say('Browse the saccos')}
          </LinkButton>
        </div>
      </div>
    </section>
  );
}
