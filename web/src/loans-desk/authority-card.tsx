import type { LendingAuthority } from '@ushirika/contract/loans';
import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import { paths } from '../paths.ts';
import { ChangeCard } from '../saccos/change-card.tsx';
import { LinkButton } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';

/** Up to which amount who decides about an application, and what is to change of it. */
export function AuthorityCard({
  authority,
  change,
  sacco,
}: {
  authority: LendingAuthority;
  /** The one that waits or is to come into force. */
  change: SaccoChange | undefined;
  sacco: string;
}) {
  const { valid_from } = authority;
  return (
    <div className="grid min-w-0 gap-4">
      <Card className="min-w-0 p-5">
        <h2 className="text-lead">{say('Who decides how much')}</h2>
        <p className="mt-1 max-w-[70ch] text-small text-ink-2">
          {say('The amounts in force when an application is submitted hold for it. The borrower’s other loans count.')}
        </p>
        <div className="mt-1">
          <Facts facts={tiersOf(authority)} />
        </div>
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
          <p className="num text-small text-ink-2">
            {valid_from
              ? say('In force since {day}', { day: longDate(valid_from) })
              : say('As it is where a sacco has changed nothing')}
          </p>
          <LinkButton look="line" to={paths.clientDraftTerms('lending_authority')}>
            {say('Change the amounts')}
          </LinkButton>
        </div>
      </Card>
      {change && <ChangeCard change={change} sacco={sacco} />}
    </div>
  );
}

function tiersOf({ committee_alone, manager_alone }: LendingAuthority) {
  return [
    [say('The manager alone'), manager_alone === 0 ? say('No loan') : <UpTo key="manager" shillings={manager_alone} />],
    [say('Two of the credit committee'), <UpTo key="committee" shillings={committee_alone} />],
    [say('They, and treasurer or chair'), say('Every larger loan')],
  ] as const;
}

function UpTo({ shillings }: { shillings: number }) {
  return (
    <>
      {say('up to')} <Money shillings={shillings} />
    </>
  );
}
