import {
  DRAFT_DAYS,
  HELD_DAYS_MAX,
  RULES_OF_CLASS,
  SECOND_QUORUM,
  SECOND_ROUND_DAYS,
} from '@ushirika/contract/voting-rules';
import { Card } from '../ui/card.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { rollSentence, secretLimits, votesWords } from './voting-words.ts';

/** What whoever has never voted here should know: how a vote goes, and what of it is secret. */
export function HowVotingWorks({ className = 'wrap pb-14' }: { className?: string }) {
  return (
    <section aria-labelledby="how-voting-works" className={className}>
      <h2 id="how-voting-works" className="text-head">
        {say('A vote, step by step')}
      </h2>
      <ol className="mt-5 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {steps().map(({ title, words }, index) => (
          <li key={title} className="grid">
            <Card className="p-5">
              <p className="num text-small font-semibold text-ink-2">{index + 1}</p>
              <h3 className="text-lead">{title}</h3>
              {words.map((each) => (
                <p key={each} className="num mt-1.5 text-ink-2">
                  {each}
                </p>
              ))}
            </Card>
          </li>
        ))}
      </ol>
      <h2 className="mt-12 text-head">{say('What is secret, and what is not')}</h2>
      <div className="mt-5 grid gap-4 lg:grid-cols-3">
        {secrecy().map(({ title, icon, points }) => (
          <Card key={title} className="p-5">
            <h3 className="flex items-center gap-2.5 text-lead">
              <Icon name={icon} className="size-5 text-forest" />
              {title}
            </h3>
            <ul className="mt-2 grid list-disc gap-1.5 pl-4.5 text-ink-2">
              {points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </section>
  );
}

/** The times are those of the rules that a vote gets when it is published. */
function steps(): readonly { readonly title: string; readonly words: readonly string[] }[] {
  const { ordinary, special, election } = RULES_OF_CLASS;
  const days = (n: number) => say('{n, plural, one {1 day} other {# days}}', { n });
  return [
    {
      title: say('Somebody drafts it'),
      words: [
        say('An official of the board does, and another official signs. A member may too.'),
        say('Then one in twenty of those who could vote must sign within {days}, and three at least.', {
          days: days(DRAFT_DAYS),
        }),
      ],
    },
    {
      title: say('It is published'),
      words: [
        say('From then on its text, its rules and its roll are fixed. Nobody can change them.'),
        say('Voting begins after {ordinary}. For two thirds and for elections it is {special}.', {
          ordinary: days(ordinary.notice_days),
          special: days(special.notice_days),
        }),
      ],
    },
    {
      title: say('Who may vote'),
      words: [
        rollSentence(),
        say('Shares do not count: one member has one vote.'),
        say('On the terms and the stewards of a guarantor pool only those vote who have had money in it for 30 days.'),
      ],
    },
    {
      title: say('Members vote'),
      words: [
        say('From any phone, for {ordinary}. Where two thirds are needed it is {special}.', {
          ordinary: days(election.voting_days),
          special: days(special.voting_days),
        }),
        say('In an open vote you may change your mind until the end. In a secret one you cannot.'),
      ],
    },
    {
      title: say('The votes are counted'),
      words: [
        say(
          'Three in ten of the roll must vote, or 50 members of a large roll. Where two thirds are needed, it is one in three.',
        ),
        say('If too few vote, most votes have a second round {days} later. Then {votes} are enough.', {
          days: days(SECOND_ROUND_DAYS),
          votes: votesWords(SECOND_QUORUM),
        }),
      ],
    },
    {
      title: say('It is carried out by itself'),
      words: [
        say(
          'That is {ordinary} after the count, or {special} where two thirds were needed. No official has to do it.',
          {
            ordinary: days(ordinary.timelock_hours / 24),
            special: days(special.timelock_hours / 24),
          },
        ),
        say(
          'Before that the supervisory committee may hold it for {days} at most. If two of its members find it unlawful, it is void.',
          { days: days(HELD_DAYS_MAX) },
        ),
      ],
    },
  ];
}

function secrecy(): readonly { readonly title: string; readonly icon: IconName; readonly points: readonly string[] }[] {
  return [
    {
      title: say('Everybody sees'),
      icon: 'people',
      points: [
        say(
          'Title, times, rules and the final result. No title of a vote about a person, nor one that an operator has hidden.',
        ),
        say(
          'After the count: the roll and the ballots, under random numbers and without names. Anybody can recount them.',
        ),
        say('The text, and the names of candidates, are for the members of the sacco.'),
      ],
    },
    {
      title: say('In an open vote'),
      icon: 'ballot',
      points: [
        say('No member and no official can see how you voted.'),
        say('But the software of Ushirika knows whose number it is. Whoever runs its database could find out.'),
        say(
          'If that is too much, ask for a secret ballot before voting begins. One in ten of the roll makes it secret.',
        ),
      ],
    },
    {
      title: say('In a secret vote, and in every election'),
      icon: 'shield',
      points: [
        secretLimits(),
        say('That you asked for a ballot paper is public after the count, under your random number.'),
        say('Whoever watches the server at the very moment of your vote could learn it.'),
        say('Your receipt shows how you voted to whoever sees it. Show it to nobody who could reward or punish you.'),
        say('The ballot paper is on your device alone. If you lose it before you vote, you get no second one.'),
      ],
    },
  ];
}
