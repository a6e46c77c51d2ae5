import { Title } from '../../layouts/title.tsx';
import { loanPaths } from '../../loans/loan-paths.ts';
import { paths } from '../../paths.ts';
import { useSession } from '../../session/session.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { KangaBand } from '../../ui/kanga-band.tsx';
import { say } from '../../words/say.ts';
import { AccountPicture, GuaranteePicture, LoanPicture, TradingPicture, VotePicture } from './pictures.tsx';
import { FiguresBand } from './public-figures.tsx';

/** `/`: what Ushirika is, for somebody who has never heard of it. */
export function LandingPage() {
  return (
    <>
      <Title>{say('Transforming Cooperatives For The Future')}</Title>
      <Hero />
      <KangaBand />
      <FiguresBand />
      <Features />
      <Modules />
      <HowItWorks />
      <Closing />
    </>
  );
}

function Hero() {
  return (
    <section className="wrap grid items-center gap-[clamp(32px,5vw,72px)] pt-8 pb-[clamp(40px,6vw,88px)] md:pt-14 lg:grid-cols-[1.1fr_0.9fr]">
      <div>
        <span className="tag tag-ochre">{say('Savings · Shares · Credit · Votes')}</span>
        <h1 className="mt-4 text-hero font-extrabold tracking-[-0.03em]">
          {say('Transforming Cooperatives For The Future')}
        </h1>
        <p className="mt-5 mb-7 max-w-[46ch] text-lead text-ink-2">
          {say(
            'Real-time share trading, automated voting and automated operations: join a sacco from your phone, get your loan guaranteed, and check every shilling of the books yourself.',
          )}
        </p>
        <div className="flex flex-wrap gap-3 max-sm:*:basis-full">
          <LinkButton to={paths.saccos()}>{say('Join Saccos')}</LinkButton>
          <LinkButton to={paths.guarantorPools()} look="line">
            {say('View Guarantor Pools')}
          </LinkButton>
          <LinkButton to={paths.login()} look="line">
            {say('Login')}
          </LinkButton>
        </div>
      </div>
      <AccountPicture />
    </section>
  );
}

function Features() {
  const features: readonly (readonly [IconName, string, string])[] = [
    [
      'swap',
      say('Flexible transactions'),
      say('Money comes in and goes out by M-Pesa, in whole shillings, at any hour.'),
    ],
    [
      'chart',
      say('Profitability'),
      say('See what your shares are worth today, and what each fee is before you pay it.'),
    ],
    ['book', say('Transparency'), say('Every movement is a double entry with a receipt. Nothing is ever rubbed out.')],
    [
      'drop',
      say('Liquidity management'),
      say('Know what you hold, what is set aside and what you can use, to the cent.'),
    ],
  ];
  return (
    <section aria-labelledby="features" className="wrap pt-16">
      <h2 id="features" className="text-head">
        {say('A sacco that works while you do')}
      </h2>
      <div className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {features.map(([icon, title, words]) => (
          <div key={title} className="card p-5 shadow-none">
            <Icon name={icon} className="size-8 text-clay" />
            <h3 className="mt-3.5 mb-1.5 text-[1.0625rem]">{title}</h3>
            <p className="text-small text-ink-2">{words}</p>
          </div>
        ))}
      </div>
    </section>
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
      words: say('Shares change hands between members at a price that both agreed to, first come first served.'),
      path: paths.shareTrading(),
      link: say('How trading works'),
      Picture: TradingPicture,
    },
    {
      title: say('Voting'),
      words: say('One member, one vote, from any phone. What passes is carried out, and the count can be checked.'),
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
      say('Pick a sacco, pay its registration fee, buy your first shares. You see the books from then on.'),
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
