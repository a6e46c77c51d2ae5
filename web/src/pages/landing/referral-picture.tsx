import { Tag } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { say } from '../../words/say.ts';
import { ExampleTag } from './example.tsx';

/** An example of a list of referrals. */
export function ReferralPicture() {
  return (
    <div role="img" aria-label={say('An example of a list of referrals')} className="card num relative p-5">
      <ExampleTag />
      <p className="flex items-center justify-between gap-3 rounded-box bg-sunken px-4 py-3 font-semibold">
        ABCDE7
        <Icon name="copy" className="size-4.5 text-ink-2" />
      </p>
      {(
        [
          [say('A person {n}', { n: 1 }), <Tag key="paid">{say('Fully Paid')}</Tag>],
          [
            say('A person {n}', { n: 2 }),
            <Tag key="joined" tone="ochre">
              {say('Joined')}
            </Tag>,
          ],
          [
            say('A person {n}', { n: 3 }),
            <Tag key="lead" tone="clay">
              {say('Lead')}
            </Tag>,
          ],
        ] as const
      ).map(([name, tag]) => (
        <p key={name} className="rule flex items-center justify-between gap-3 py-3">
          {name}
          {tag}
        </p>
      ))}
    </div>
  );
}
