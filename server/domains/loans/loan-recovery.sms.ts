import type { dayValues, SmsValue } from '../notifications/sms-values.ts';
import { either, fixed, sms } from '../notifications/sms-words.ts';

/** Names are checked values, or null: then they are left out. */
export interface LoanSmsValues {
  readonly sacco: SmsValue | null;
  readonly borrower: SmsValue | null;
  readonly amount: SmsValue;
  readonly days: SmsValue;
}

const saccoOf = ({ sacco }: LoanSmsValues) => either(sacco, fixed`your sacco`);
const saccoYa = ({ sacco }: LoanSmsValues) => either(sacco, fixed`sacco yako`);
const memberOf = ({ borrower }: LoanSmsValues) => either(borrower, fixed`a member`);
const mtu = ({ borrower }: LoanSmsValues) => either(borrower, fixed`mwanachama`);

/**
 * What costs money if it is missed. Each also stands in the app, in more words. Those that the law rests on, from the formal notice on, are
 * of the kind `security`: they are sent though a person does without SMS about loans.
 */
export const loanRecoverySms = {
  reminder: (of: LoanSmsValues) =>
    sms(
      'loan_reminder',
      'news',
      fixed`Ushirika: ${of.amount} of your loan from ${saccoOf(of)} is due in 3 days. Have it in your wallet.`,
      fixed`Ushirika: ${of.amount} za mkopo wako kutoka ${saccoYa(of)} ni za kulipwa baada ya siku 3. Ziwe kwenye pochi yako.`,
    ),
  missed: (of: LoanSmsValues) =>
    sms(
      'loan_missed',
      'news',
      fixed`Ushirika: ${of.amount} of your loan from ${saccoOf(of)} is late. Pay within 5 days, without a penalty.`,
      fixed`Ushirika: ${of.amount} za mkopo wako kutoka ${saccoYa(of)} zimechelewa. Lipa ndani ya siku 5, bila adhabu.`,
    ),
  first: (of: LoanSmsValues) =>
    sms(
      'loan_first',
      'news',
      fixed`Ushirika: ${of.amount} of your loan from ${saccoOf(of)} is ${of.days} days late. A penalty runs. Pay now.`,
      fixed`Ushirika: ${of.amount} za mkopo wako kutoka ${saccoYa(of)} zimechelewa siku ${of.days}. Adhabu inaendelea. Lipa sasa.`,
    ),
  formal: (of: LoanSmsValues) =>
    sms(
      'loan_formal',
      'security',
      fixed`Ushirika: ${of.amount} of your loan from ${saccoOf(of)} is ${of.days} days late. Your guarantors are told.`,
      fixed`Ushirika: ${of.amount} za mkopo wako kutoka ${saccoYa(of)} zimechelewa siku ${of.days}. Wadhamini wako wameambiwa.`,
    ),
  formalToGuarantor: (of: LoanSmsValues) =>
    sms(
      'loan_formal',
      'security',
      fixed`Ushirika: a loan of ${memberOf(of)} that you guarantee is ${of.days} days late, ${of.amount} in all. Sign in to read it.`,
      fixed`Ushirika: mkopo wa ${mtu(of)} uliodhamini umechelewa siku ${of.days}, jumla ${of.amount}. Ingia usome.`,
    ),
  second: (of: LoanSmsValues) =>
    sms(
      'loan_second',
      'security',
      fixed`Ushirika: your loan from ${saccoOf(of)} is ${of.days} days late. Pay ${of.amount} or ask for a new schedule.`,
      fixed`Ushirika: mkopo wako kutoka ${saccoYa(of)} umechelewa siku ${of.days}. Lipa ${of.amount} au omba ratiba mpya.`,
    ),
  secondToGuarantor: (of: LoanSmsValues) =>
    sms(
      'loan_second',
      'security',
      fixed`Ushirika: a loan of ${memberOf(of)} that you guarantee is ${of.days} days late. You can lose savings. Sign in.`,
      fixed`Ushirika: mkopo wa ${mtu(of)} uliodhamini umechelewa siku ${of.days}. Unaweza kupoteza akiba. Ingia.`,
    ),
  defaulted: (of: LoanSmsValues) =>
    sms(
      'loan_defaulted',
      'security',
      fixed`Ushirika: ${saccoOf(of)} has declared your loan in default. ${of.amount} is owed. Sign in to read more.`,
      fixed`Ushirika: ${saccoYa(of)} imetangaza kuwa umeshindwa kulipa mkopo wako. Deni ni ${of.amount}. Ingia usome.`,
    ),
  final: (of: LoanSmsValues) =>
    sms(
      'loan_final',
      'security',
      fixed`Ushirika: final notice. In 14 days ${saccoOf(of)} may take your savings for ${of.amount} of your loan. Pay now.`,
      fixed`Ushirika: notisi ya mwisho. Baada ya siku 14 ${saccoYa(of)} inaweza kuchukua akiba yako kwa deni la ${of.amount}.`,
    ),
  finalToGuarantor: (of: LoanSmsValues) =>
    sms(
      'loan_final',
      'security',
      fixed`Ushirika: final notice. In 14 days up to ${of.amount} of your savings may go to the loan of ${memberOf(of)}. Sign in.`,
      fixed`Ushirika: notisi ya mwisho. Baada ya siku 14, akiba yako hadi ${of.amount} inaweza kulipia mkopo wa ${mtu(of)}.`,
    ),
  taken: (of: LoanSmsValues) =>
    sms(
      'loan_taken',
      'security',
      fixed`Ushirika: ${saccoOf(of)} has taken ${of.amount} of your savings for your loan. Sign in to see it.`,
      fixed`Ushirika: ${saccoYa(of)} imechukua ${of.amount} za akiba yako kulipia mkopo wako. Ingia uone.`,
    ),
  takenOfGuarantor: (of: LoanSmsValues) =>
    sms(
      'loan_taken',
      'security',
      fixed`Ushirika: ${of.amount} of your savings went to the loan of ${memberOf(of)}, who owes it to you now. Sign in.`,
      fixed`Ushirika: ${of.amount} za akiba yako zimelipia mkopo wa ${mtu(of)}, ambaye sasa anadaiwa nawe. Ingia uone.`,
    ),
  refunded: (of: LoanSmsValues) =>
    sms(
      'loan_guarantor_refunded',
      'news',
      fixed`Ushirika: you are paid back ${of.amount} for the loan of ${memberOf(of)} that you guaranteed.`,
      fixed`Ushirika: umerudishiwa ${of.amount} kwa mkopo wa ${mtu(of)} uliodhamini.`,
    ),
  restructure: (of: LoanSmsValues & { readonly day: ReturnType<typeof dayValues> }) =>
    sms(
      'loan_restructure',
      'news',
      fixed`Ushirika: ${saccoOf(of)} offers a new schedule for a loan that concerns you. Sign in and answer by ${of.day.en}.`,
      fixed`Ushirika: ${saccoYa(of)} inapendekeza ratiba mpya ya mkopo unaokuhusu. Ingia ujibu kufikia ${of.day.sw}.`,
    ),
};
