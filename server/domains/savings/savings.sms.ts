import type { SmsValue } from '../notifications/sms-values.ts';
import { either, fixed, type SmsWords, sms, within } from '../notifications/sms-words.ts';

export const savingsSms = {
  standingOrder: (state: 'waiting' | 'skipped' | 'ended', amount: SmsValue, sacco: SmsValue | null) => {
    const [english, kiswahili] = {
      waiting: [fixed`could not be paid today. We try again tomorrow.`, fixed`haikuwekwa leo. Tutajaribu tena kesho.`],
      skipped: [fixed`is skipped this month.`, fixed`haikuwekwa mwezi huu.`],
      ended: [
        fixed`is ended, because you are leaving or have left.`,
        fixed`imesitishwa, kwa kuwa unaondoka au umeondoka.`,
      ],
    }[state] as [SmsWords, SmsWords];
    return sms(
      `standing_order_${state}`,
      'news',
      fixed`Ushirika: your standing order of ${amount} for ${either(sacco, fixed`your sacco`)} ${within(english)} Sign in to see more.`,
      fixed`Ushirika: akiba yako ya kila mwezi ya ${amount} katika ${either(sacco, fixed`sacco yako`)} ${within(kiswahili)} Ingia uone zaidi.`,
    );
  },
};
