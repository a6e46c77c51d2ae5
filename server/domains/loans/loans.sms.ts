import type { SmsValue } from '../notifications/sms-values.ts';
import { either, fixed, sms } from '../notifications/sms-words.ts';

const inSacco = (sacco: SmsValue | null) => either(sacco, fixed`your sacco`);
const katikaSacco = (sacco: SmsValue | null) => either(sacco, fixed`sacco yako`);

export const loansSms = {
  /** A code that signs: what is signed and what can be lost stand in it, and that nobody else needs it. */
  guaranteeCode: (code: SmsValue, borrower: SmsValue | null, number: SmsValue, loan: SmsValue, pledge: SmsValue) =>
    sms(
      'loan_guarantee_code',
      'claim_code',
      fixed`Ushirika: ${code} signs your guarantee for the loan of ${loan} to ${either(borrower, fixed`another member`)} (No. ${number}). If it is not repaid you can lose up to ${pledge} of your savings. Give it to nobody, not even the borrower.`,
      fixed`Ushirika: ${code} ni sahihi yako ya kudhamini mkopo wa ${loan} wa ${either(borrower, fixed`mwanachama mwingine`)} (Na. ${number}). Usipolipwa unaweza kupoteza hadi ${pledge} za akiba yako. Usimpe mtu, hata mkopaji.`,
    ),
  /** The same of a new schedule for a loan that one guarantees already. */
  scheduleCode: (code: SmsValue, borrower: SmsValue | null, principal: SmsValue, months: SmsValue, pledge: SmsValue) =>
    sms(
      'loan_schedule_code',
      'claim_code',
      fixed`Ushirika: ${code} agrees to a new schedule for the loan of ${either(borrower, fixed`another member`)}: ${principal}, months: ${months}. You can lose up to ${pledge} of your savings. Give it to nobody, not even the borrower.`,
      fixed`Ushirika: ${code} inakubali ratiba mpya ya mkopo wa ${either(borrower, fixed`mwanachama mwingine`)}: ${principal}, miezi: ${months}. Unaweza kupoteza hadi ${pledge} za akiba yako. Usimpe mtu, hata mkopaji.`,
    ),
  guarantorAsked: (sacco: SmsValue | null, amount: SmsValue) =>
    sms(
      'loan_guarantor_asked',
      'request',
      fixed`Ushirika: a member of ${inSacco(sacco)} asks you to pledge ${amount} of your savings for their loan. Sign in to read it, and answer within 7 days.`,
      fixed`Ushirika: mwanachama wa ${katikaSacco(sacco)} anakuomba uweke dhamana ya ${amount} ya akiba yako kwa mkopo wake. Ingia uisome, na ujibu ndani ya siku 7.`,
    ),
  approved: (sacco: SmsValue | null, amount: SmsValue) =>
    sms(
      'loan_approved',
      'news',
      fixed`Ushirika: your loan of ${amount} in ${inSacco(sacco)} is approved. Sign in to read its key facts and accept them within 30 days.`,
      fixed`Ushirika: mkopo wako wa ${amount} katika ${katikaSacco(sacco)} umeidhinishwa. Ingia usome maelezo yake muhimu na uyakubali ndani ya siku 30.`,
    ),
  disbursed: (sacco: SmsValue | null, amount: SmsValue) =>
    sms(
      'loan_disbursed',
      'news',
      fixed`Ushirika: your loan of ${amount} in ${inSacco(sacco)} is paid out to your wallet. If you did not ask for it, call us at once.`,
      fixed`Ushirika: mkopo wako wa ${amount} katika ${katikaSacco(sacco)} umetolewa kwenye pochi yako. Kama hukuuomba, tupigie mara moja.`,
    ),
  /** For payments by M-Pesa alone. */
  repaid: (amount: SmsValue, owed: SmsValue) =>
    sms(
      'loan_repaid',
      'news',
      fixed`Ushirika: ${amount} is paid on your loan. You still owe ${owed} of it.`,
      fixed`Ushirika: ${amount} zimelipia mkopo wako. Bado unadaiwa ${owed}.`,
    ),
  /** The same where instalments are paid in advance. */
  repaidAhead: (amount: SmsValue, owed: SmsValue, day: { readonly en: SmsValue; readonly sw: SmsValue }) =>
    sms(
      'loan_repaid',
      'news',
      fixed`Ushirika: ${amount} is paid on your loan in advance. Nothing is due until ${day.en}. You still owe ${owed} of it.`,
      fixed`Ushirika: ${amount} zimelipia mkopo wako mapema. Hudaiwi kitu hadi ${day.sw}. Bado unadaiwa ${owed}.`,
    ),
  paidOff: (amount: SmsValue) =>
    sms(
      'loan_paid_off',
      'news',
      fixed`Ushirika: ${amount} is paid on your loan. Nothing is owed of it any more.`,
      fixed`Ushirika: ${amount} zimelipia mkopo wako. Hudaiwi tena chochote kwa mkopo huo.`,
    ),
  checkOffWaits: (sacco: SmsValue | null, amount: SmsValue) =>
    sms(
      'check_off_waits',
      'request',
      fixed`Ushirika: ${either(sacco, fixed`a sacco`)} asks you to pay ${amount} that you kept back from wages. Sign in to read the list. Nothing moves unless you pay.`,
      fixed`Ushirika: ${either(sacco, fixed`sacco`)} inakuomba ulipe ${amount} ulizokata kwenye mishahara. Ingia usome orodha. Hakuna kinacholipwa usipolipa wewe.`,
    ),
  standingSkipped: (sacco: SmsValue | null, amount: SmsValue) =>
    sms(
      'loan_standing_skipped',
      'news',
      fixed`Ushirika: your wallet held too little on three days for the instalment of your loan of ${amount} in ${inSacco(sacco)}. Pay it by hand.`,
      fixed`Ushirika: kwa siku tatu pochi yako haikutosha kwa awamu ya mkopo wako wa ${amount} katika ${katikaSacco(sacco)}. Ilipe mwenyewe.`,
    ),
};
