import type { Office } from '@ushirika/contract/route';
import type { SmsValue } from '../notifications/sms-values.ts';
import { either, fixed, type SmsWords, sms, within } from '../notifications/sms-words.ts';

/** As the offices stand in an SMS. */
const OFFICE_WORDS: Readonly<Record<Office, readonly [english: SmsWords, kiswahili: SmsWords]>> = {
  chair: [fixed`chair`, fixed`mwenyekiti`],
  vice_chair: [fixed`vice chair`, fixed`makamu mwenyekiti`],
  secretary: [fixed`secretary`, fixed`katibu`],
  treasurer: [fixed`treasurer`, fixed`mweka hazina`],
  credit_committee: [fixed`credit committee member`, fixed`mjumbe wa kamati ya mikopo`],
  supervisory_committee: [fixed`supervisory committee member`, fixed`mjumbe wa kamati ya usimamizi`],
  manager: [fixed`manager`, fixed`meneja`],
};

export const saccosSms = {
  officeCode: (office: Office, sacco: SmsValue | null, code: SmsValue) => {
    const [english, kiswahili] = OFFICE_WORDS[office];
    return sms(
      'office_code',
      'office_code',
      fixed`Ushirika: you are asked to be ${within(english)} of ${either(sacco, fixed`a new sacco`)}. To accept, sign in and enter ${code} within 7 days. Not yours? Ignore it.`,
      fixed`Ushirika: unaombwa kuwa ${within(kiswahili)} wa ${either(sacco, fixed`sacco mpya`)}. Ukikubali, ingia na uweke ${code} ndani ya siku 7. Si yako? Puuza.`,
    );
  },
  /** @param state `active_again`: after a suspension */
  saccoState: (state: 'active' | 'active_again' | 'pending' | 'rejected' | 'suspended', sacco: SmsValue | null) => {
    const [english, kiswahili] = {
      active: [
        fixed`is active: people can join it and buy its shares.`,
        fixed`inatumika: watu wanaweza kujiunga nayo na kununua hisa zake.`,
      ],
      active_again: [
        fixed`is active again: its suspension has ended.`,
        fixed`inatumika tena: kusimamishwa kwake kumeisha.`,
      ],
      pending: [fixed`waits for its activation again.`, fixed`inasubiri tena kuwezeshwa.`],
      rejected: [fixed`was not accepted. Sign in to read why.`, fixed`haikukubaliwa. Ingia usome sababu.`],
      suspended: [fixed`is suspended. Sign in to read why.`, fixed`imesimamishwa. Ingia usome sababu.`],
    }[state] as [SmsWords, SmsWords];
    return sms(
      `sacco_${state}`,
      'news',
      fixed`Ushirika: ${either(sacco, fixed`a sacco of yours`)} ${within(english)}`,
      fixed`Ushirika: ${either(sacco, fixed`sacco yako`)} ${within(kiswahili)}`,
    );
  },
};
