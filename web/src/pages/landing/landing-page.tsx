import { Suspense } from 'react';
import { Link } from 'react-router';
import { later } from '../../layouts/later.tsx';
import { Title } from '../../layouts/title.tsx';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { KangaBand } from '../../ui/kanga-band.tsx';
import { say } from '../../words/say.ts';
import { AccountPicture } from './example.tsx';
import { FiguresBand } from './public-figures.tsx';

/** Below the first screen: it is not waited for. */
const LandingMore = later(() => import('./landing-more.tsx'), 'LandingMore');

/** `/`: what Ushirika is, for somebody who has never heard of it. */
export function LandingPage() {
  return (
    <>
      <Title>{say('Transforming Cooperatives For The Future')}</Title>
      <Hero />
      <KangaBand />
      <FiguresBand />
      <Features />
      <Suspense fallback={<div className="min-h-[300vh]" />}>
        <LandingMore />
      </Suspense>
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
            'Real-time share trading, automated voting and automated operations: join a sacco from your phone, get your loan guaranteed, and see a receipt for every shilling that moves.',
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
  const features: readonly (readonly [IconName, string, string, (readonly [path: string, words: string])?])[] = [
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
    [
      'book',
      say('Transparency'),
      say('Every movement is in a log that only grows. Check every shilling of the books yourself.'),
      [paths.log(), say('See the log')],
    ],
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
        {features.map(([icon, title, words, more]) => (
          <div key={title} className="card p-5 shadow-none">
            <Icon name={icon} className="size-8 text-clay" />
            <h3 className="mt-3.5 mb-1.5 text-[1.0625rem]">{title}</h3>
            <p className="text-small text-ink-2">{words}</p>
            {more && (
              <Link className="link mt-1 inline-block min-h-11 content-center text-small font-semibold" to={more[0]}>
                {more[1]}
              </Link>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}
