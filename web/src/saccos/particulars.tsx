import type { Sacco } from '@ushirika/contract/saccos';
import type { ReactNode } from 'react';
import { MoneyField, SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { say } from '../words/say.ts';
import { kindWords } from './sacco-states.ts';

const KINDS = ['sacco', 'chama', 'investment_club'] as const satisfies Sacco['type'][];

/** The names of the fields below that must not be empty. */
export const PARTICULARS_REQUIRED = ['name', 'description', 'reg_no', 'reg_fee', 'min_shares', 'share_value'] as const;
export type Particulars = Record<(typeof PARTICULARS_REQUIRED)[number] | 'type', string>;

type Known = Pick<Sacco, keyof Particulars>;

/** What a founder says of the sacco, in the application and in a mended one, with what is `known` of it. */
export function ParticularsFields({ known, children }: { known?: Known; children?: ReactNode }) {
  return (
    <>
      <TextField label={say('Name')} name="name" required defaultValue={known?.name} autoComplete="organization" />
      <TextArea label={say('Description')} name="description" required defaultValue={known?.description} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={say('Registration number')}
          name="reg_no"
          required
          defaultValue={known?.reg_no}
          autoComplete="off"
        />
        <SelectField label={say('Kind')} name="type" defaultValue={known?.type ?? 'sacco'}>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {kindWords(kind)}
            </option>
          ))}
        </SelectField>
        <MoneyField label={say('Registration fee')} name="reg_fee" required defaultValue={known?.reg_fee} />
        <MoneyField label={say('Share value')} name="share_value" required defaultValue={known?.share_value} />
        <TextField
          label={say('Minimum shares')}
          name="min_shares"
          required
          defaultValue={known?.min_shares}
          inputMode="numeric"
          autoComplete="off"
        />
        {children}
      </div>
    </>
  );
}
