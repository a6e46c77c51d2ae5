import type { SmsValue } from '../notifications/sms-values.ts';
import { either, fixed, sms } from '../notifications/sms-words.ts';

export const complaintsSms = {
  answered: (sacco: SmsValue | null) =>
    sms(
      'complaint_answered',
      'news',
      fixed`Ushirika: ${either(sacco, fixed`your sacco`)} has answered your complaint. Sign in to close it or appeal within 14 days.`,
      fixed`Ushirika: ${either(sacco, fixed`sacco yako`)} imejibu lalamiko lako. Ingia ulifunge au ukate rufaa ndani ya siku 14.`,
    ),
  resolved: (sacco: SmsValue | null) =>
    sms(
      'complaint_resolved',
      'news',
      fixed`Ushirika has decided about your complaint about ${either(sacco, fixed`your sacco`)}. Sign in to read the decision.`,
      fixed`Ushirika imeamua lalamiko lako kuhusu ${either(sacco, fixed`sacco yako`)}. Ingia usome uamuzi.`,
    ),
};
