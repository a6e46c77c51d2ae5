import type { rateSacco } from '@ushirika/contract/membership';
import type { MembershipState } from '@ushirika/contract/saccos';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { now } from '../clock.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { whyNotRated } from './why-not-rated.ts';

interface Props {
  readonly sacco: { readonly id: string; readonly name: string };
  /** How the member stands in it; nobody writes a rating that will not be taken. */
  readonly membership: MembershipState | undefined;
  /** From when on their time as a member lets them; null for an official. */
  readonly ratesFrom: string | null;
  readonly onClose: () => void;
}

/** Rate this sacco: one to five stars and a comment; rating again changes it. */
export function RatingDialog({ sacco, membership, ratesFrom, onClose }: Props) {
  const missing = whyNotRated(membership, ratesFrom, now());
  if (missing === null) return <RatingForm sacco={sacco} onClose={onClose} />;
  return (
    <Dialog title={say('Rate this sacco')} onClose={onClose}>
      <div className="grid gap-4">
        <p className="flex gap-3 rounded-box bg-ochre-tint px-4 py-3 text-ink">
          <Icon name="info" className="mt-0.5 size-5 shrink-0 text-ochre" />
          <span>{missing}</span>
        </p>
        <Button look="line" onClick={onClose}>
          {say('Close')}
        </Button>
      </div>
    </Dialog>
  );
}

function RatingForm({ sacco, onClose }: Pick<Props, 'sacco' | 'onClose'>) {
  const [stars, setStars] = useState(0);
  const submit = async ({ comment }: Record<'stars' | 'comment', string>) => {
    const answer = await call<typeof rateSacco>('POST', '/sacco/{id}/rating', {
      params: { id: sacco.id },
      body: { stars, comment },
    });
    toast.success(answer.message);
    onClose();
    await refresh(['Sacco']);
  };
  return (
    <Dialog title={say('Rate this sacco')} onClose={onClose}>
      <ApiForm<'stars' | 'comment'>
        keptAs={`rating ${sacco.id}`}
        required={['stars']}
        emptyMessage={say('Choose one to five stars.')}
        submit={submit}
      >
        <p className="text-ink-2">
          {say('How is {sacco}? Rating again changes what you gave.', { sacco: sacco.name })}
        </p>
        <Stars stars={stars} onChoose={setStars} />
        <TextArea label={say('Comment (optional)')} name="comment" maxLength={1000} />
        <SubmitButton busyLabel={say('processing...')}>{say('Rate')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

function Stars({ stars, onChoose }: { stars: number; onChoose: (stars: number) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-small font-semibold">{say('Stars')}</legend>
      <div className="flex">
        {[1, 2, 3, 4, 5].map((star) => (
          <label
            key={star}
            className="grid size-12 cursor-pointer place-items-center rounded-box has-focus-visible:outline-3 has-focus-visible:outline-[var(--focus)]"
          >
            <input
              type="radio"
              name="stars"
              value={star}
              checked={stars === star}
              onChange={() => onChoose(star)}
              className="sr-only"
              aria-label={say('{n} of 5 stars', { n: star })}
            />
            <Icon name="star" className={`size-9 ${star <= stars ? 'fill-ochre text-ochre' : 'text-edge'}`} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
