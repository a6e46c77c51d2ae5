import type { SaccoDetail } from '@ushirika/contract/saccos';
import { Suspense, useState } from 'react';
import { later } from '../../layouts/later.tsx';
import { Checklist } from '../../saccos/checklist.tsx';
import { useOfficeNamings } from '../../saccos/namings.queries.ts';
import { NamingRow } from '../../saccos/office-namings.tsx';
import { STATE_TONES, stateWords } from '../../saccos/sacco-states.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Tag } from '../../ui/card.tsx';
import { Progress } from '../../ui/figures.tsx';
import { say } from '../../words/say.ts';

const RecordOfficialDialog = later(() => import('./application-dialogs.tsx'), 'RecordOfficialDialog');
const ResubmitDialog = later(() => import('./application-dialogs.tsx'), 'ResubmitDialog');

/**
 * Where a sacco's application stands, for its founder, its officials and operators. The founder names officials while it
 * waits, and mends and sends it again once it was rejected.
 */
export function ApplicationPanel({ sacco }: { sacco: SaccoDetail }) {
  const isFounder = useSession()?.user.id === sacco.created_by;
  const [open, setOpen] = useState<'official' | 'resubmit' | null>(null);
  const { application } = sacco;
  if (!application || application.state === 'active') return null;
  const met = application.checklist.filter((point) => point.met).length;
  const close = () => setOpen(null);
  return (
    <Card className="mt-6 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="flex flex-wrap items-center gap-3 text-title">
          {say('Application')}
          <Tag tone={STATE_TONES[application.state]}>{stateWords(application.state)}</Tag>
        </h2>
        {isFounder && application.state === 'pending' && (
          <Button look="soft" onClick={() => setOpen('official')} className="max-sm:w-full">
            {say('Name an official')}
          </Button>
        )}
        {isFounder && application.state === 'rejected' && (
          <Button onClick={() => setOpen('resubmit')} className="max-sm:w-full">
            {say('Mend it and send it again')}
          </Button>
        )}
      </div>
      <p className="mt-1.5 max-w-[70ch] text-ink-2">{leadFor(application.state)}</p>
      {application.state === 'pending' && (
        <p className="mt-2 max-w-[70ch] rounded-box bg-sunken px-4 py-3 text-small">
          {say(
            'Until then others see its name, its terms and ‘Sacco Inactive’. Description, logo and officials come after.',
          )}{' '}
          {say(
            'No papers are sent through this page: show them to an operator of Ushirika, who notes below what was seen.',
          )}
        </p>
      )}
      {application.reason && (
        <div
          className={`mt-4 rounded-box px-4 py-3 ${application.state === 'rejected' || application.state === 'suspended' ? 'bg-clay-tint' : 'bg-sunken'}`}
        >
          <p className="text-small font-semibold">{say('What the operator says')}</p>
          <p>{application.reason}</p>
        </div>
      )}
      {application.state === 'pending' && (
        <div className="mt-4">
          <p className="num mb-1.5 text-small text-ink-2">
            {say('{met} of {all} points met', { met, all: application.checklist.length })}
          </p>
          <Progress
            value={met}
            max={application.checklist.length}
            label={say('Points of the checklist that are met')}
          />
          <Checklist
            points={application.checklist}
            className="mt-2 gap-x-10 md:grid md:grid-cols-2 md:[&>li:nth-child(2)]:border-t-0"
          />
        </div>
      )}
      {isFounder && application.state === 'pending' && <AskedOfficials sacco={sacco.id} />}
      <Suspense>
        {open === 'official' && <RecordOfficialDialog saccoId={sacco.id} onClose={close} />}
        {open === 'resubmit' && <ResubmitDialog sacco={sacco} onClose={close} />}
      </Suspense>
    </Card>
  );
}

/** People whom the founder has named, until they take the office up. */
function AskedOfficials({ sacco }: { sacco: string }) {
  const { data } = useOfficeNamings(sacco);
  const asked = data?.results.filter(({ expires_at }) => expires_at !== null) ?? [];
  if (asked.length === 0) return null;
  return (
    <section aria-labelledby="asked-officials" className="mt-5">
      <h3 id="asked-officials" className="text-body font-semibold">
        {say('Asked to take up an office')}
      </h3>
      <ul>
        {asked.map((naming) => (
          <NamingRow key={naming.id} sacco={sacco} naming={naming} />
        ))}
      </ul>
    </section>
  );
}

function leadFor(state: string): string {
  if (state === 'pending') return say('An operator looks at it. What is open below is what is still missing.');
  if (state === 'rejected') return say('It was not accepted. The founder may mend it and send it again.');
  return say('Joining, buying and lending have stopped. What members are owed goes on.');
}
