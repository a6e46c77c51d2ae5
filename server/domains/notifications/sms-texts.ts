import type { Language } from '@ushirika/contract/notifications';
import type { Office } from '@ushirika/contract/route';
import type { SmsKind } from './sms.rules.ts';
import type { SmsValue } from './sms-values.ts';

declare const ours: unique symbol;
/** The words of an SMS: fixed ones of this file, with checked values between them. */
export type SmsWords = string & { readonly [ours]: true };

/** An SMS as it may be sent; only this file makes one. */
export interface Sms {
  readonly template: string;
  readonly kind: SmsKind;
  readonly words: Readonly<Record<Language, SmsWords>>;
}

const fixed = (parts: TemplateStringsArray, ...values: readonly SmsValue[]) =>
  String.raw({ raw: parts }, ...values) as SmsWords;

type Value = SmsValue;
type MaybeValue = SmsValue | null;
const sms = (template: string, kind: SmsKind, en: SmsWords, sw: SmsWords): Sms => ({
  template,
  kind,
  words: { en, sw },
});

/** As the offices stand in an SMS. */
const OFFICE_WORDS: Readonly<Record<Office, readonly [english: SmsWords, kiswahili: SmsWords]>> = {
  chair: [fixed`chair`, fixed`mwenyekiti`],
  secretary: [fixed`secretary`, fixed`katibu`],
  treasurer: [fixed`treasurer`, fixed`mweka hazina`],
  credit_committee: [fixed`credit committee member`, fixed`mjumbe wa kamati ya mikopo`],
  supervisory_committee: [fixed`supervisory committee member`, fixed`mjumbe wa kamati ya usimamizi`],
};
/** Fixed words may stand between fixed words. */
const within = (words: SmsWords) => words as string as SmsValue;
const either = (given: MaybeValue, otherwise: SmsWords) => given ?? within(otherwise);

/** Codes. Those of one's own account say what they are for and that nobody else is to have them. */
const codes = {
  resetCode: (code: Value) =>
    sms(
      'reset_code',
      'reset_code',
      fixed`Ushirika: your reset code is ${code}. It works for 10 minutes. If you did not ask for it, ignore this message.`,
      fixed`Ushirika: msimbo wako wa kubadilisha nenosiri ni ${code}. Unatumika kwa dakika 10. Kama hukuuomba, puuza ujumbe huu.`,
    ),
  phoneCode: (code: Value) =>
    sms(
      'phone_code',
      'claim_code',
      fixed`Ushirika: ${code} confirms this phone number. It works for 10 minutes. Tell it to nobody.`,
      fixed`Ushirika: ${code} inathibitisha nambari hii ya simu. Inatumika kwa dakika 10. Usimwambie mtu yeyote.`,
    ),
  payerCode: (account: Value, code: Value) =>
    sms(
      'payer_code',
      'payer_code',
      fixed`Ushirika: wallet ${account} wants to send M-Pesa prompts to this phone. Only if you know whose it is and want to pay into it, give them ${code}.`,
      fixed`Ushirika: pochi ${account} inataka kutuma maombi ya M-Pesa kwa simu hii. Kama unajua ni ya nani na unataka kuilipia, mpe ${code}.`,
    ),
  /** A payment from this phone will be given to somebody whose phone it is not. */
  paymentDisputed: (amount: Value, receipt: Value, link: Value, code: Value) =>
    sms(
      'payment_disputed',
      'payer',
      fixed`Ushirika: ${amount} paid from your phone (M-Pesa ${receipt}) will be given to another member in 48 hours. Not right? Object at ${link} with code ${code}.`,
      fixed`Ushirika: ${amount} zilizolipwa kwa simu yako (M-Pesa ${receipt}) zitapewa mwanachama mwingine baada ya saa 48. Si sawa? Pinga katika ${link} kwa msimbo ${code}.`,
    ),
  officeCode: (office: Office, sacco: MaybeValue, code: Value) => {
    const [english, kiswahili] = OFFICE_WORDS[office];
    return sms(
      'office_code',
      'office_code',
      fixed`Ushirika: you are asked to be ${within(english)} of ${either(sacco, fixed`a new sacco`)}. To accept, sign in and enter ${code} within 7 days. Not yours? Ignore it.`,
      fixed`Ushirika: unaombwa kuwa ${within(kiswahili)} wa ${either(sacco, fixed`sacco mpya`)}. Ukikubali, ingia na uweke ${code} ndani ya siku 7. Si yako? Puuza.`,
    );
  },
};

/** What happened to one's account; always sent. */
const security = {
  passwordReset: () =>
    sms(
      'password_reset',
      'security',
      fixed`Ushirika: your password was reset and every device signed out. Withdrawals are held for 24 hours. Not you? Call us at once.`,
      fixed`Ushirika: nenosiri lako limebadilishwa na vifaa vyote vimeondolewa. Utoaji pesa umesitishwa kwa saa 24. Si wewe? Tupigie sasa.`,
    ),
  passwordChanged: () =>
    sms(
      'password_changed',
      'security',
      fixed`Ushirika: your password was changed and your other devices were signed out. Not you? Reset it at once.`,
      fixed`Ushirika: nenosiri lako limebadilishwa na vifaa vyako vingine vimeondolewa. Si wewe? Libadilishe upya sasa.`,
    ),
  phoneChanged: (phone: Value) =>
    sms(
      'phone_changed',
      'security',
      fixed`Ushirika: the phone of your account was changed to ${phone}. Not you? Reset your password at once.`,
      fixed`Ushirika: simu ya akaunti yako imebadilishwa kuwa ${phone}. Si wewe? Badilisha nenosiri lako sasa.`,
    ),
  phoneConfirmed: (phone: Value) =>
    sms(
      'phone_confirmed',
      'security',
      fixed`Ushirika: ${phone} is now confirmed for your account.`,
      fixed`Ushirika: ${phone} sasa imethibitishwa kwa akaunti yako.`,
    ),
  secondFactorOn: () =>
    sms(
      'second_factor_on',
      'security',
      fixed`Ushirika: an authenticator app now protects your account. Your other devices were signed out.`,
      fixed`Ushirika: programu ya uthibitisho sasa inalinda akaunti yako. Vifaa vyako vingine vimeondolewa.`,
    ),
  secondFactorOff: () =>
    sms(
      'second_factor_off',
      'security',
      fixed`Ushirika: the authenticator app of your account was turned off. Not you? Reset your password at once.`,
      fixed`Ushirika: programu ya uthibitisho ya akaunti yako imezimwa. Si wewe? Badilisha nenosiri lako sasa.`,
    ),
  suspended: () =>
    sms(
      'account_suspended',
      'security',
      fixed`Ushirika: your account is suspended while we look into it. Your money and shares stay yours. Call us if you do not know why.`,
      fixed`Ushirika: akaunti yako imesimamishwa tunapochunguza. Pesa na hisa zako ni zako bado. Tupigie kama hujui sababu.`,
    ),
  suspensionUpheld: () =>
    sms(
      'suspension_upheld',
      'security',
      fixed`Ushirika: a second person has looked at your account, and it stays suspended. Call us to have it looked at again.`,
      fixed`Ushirika: mtu wa pili amekagua akaunti yako, na bado imesimamishwa. Tupigie ili ikaguliwe tena.`,
    ),
  suspensionLifted: () =>
    sms(
      'suspension_lifted',
      'security',
      fixed`Ushirika: your account is open again. Sign in as before.`,
      fixed`Ushirika: akaunti yako imefunguliwa tena. Ingia kama kawaida.`,
    ),
  recoveryCodeUsed: (left: Value) =>
    sms(
      'recovery_code_used',
      'security',
      fixed`Ushirika: a recovery code was used to sign in. ${left} left. Not you? Reset your password at once.`,
      fixed`Ushirika: msimbo wa dharura umetumika kuingia. Imebaki ${left}. Si wewe? Badilisha nenosiri lako sasa.`,
    ),
};

const referrals = {
  invitation: (inviter: MaybeValue, link: Value) =>
    sms(
      'invitation',
      'invitation',
      fixed`${either(inviter, fixed`A member`)} invites you to Ushirika. Save together, own shares and see every shilling. Sign up: ${link}`,
      fixed`${either(inviter, fixed`Mwanachama`)} anakualika Ushirika. Wekeni akiba pamoja, milikini hisa na mwone kila shilingi. Jisajili: ${link}`,
    ),
  referralRewarded: (referred: MaybeValue, sacco: MaybeValue, amount: Value) =>
    sms(
      'referral_rewarded',
      'news',
      fixed`Ushirika: ${either(referred, fixed`somebody`)}, whom you referred, is Fully Paid in ${either(sacco, fixed`a sacco`)}. ${amount} is in your wallet. Thank you!`,
      fixed`Ushirika: ${either(referred, fixed`mtu`)}, uliyemwalika, amekamilisha malipo katika ${either(sacco, fixed`sacco`)}. ${amount} imeingia kwenye pochi yako. Asante!`,
    ),
};

/** Top-ups, withdrawals and what else comes into a wallet. */
const money = {
  moneyReceived: (amount: Value) =>
    sms(
      'money_received',
      'news',
      fixed`Ushirika: ${amount} is in your wallet.`,
      fixed`Ushirika: ${amount} imeingia kwenye pochi yako.`,
    ),
  withdrawalPaid: (amount: Value) =>
    sms(
      'withdrawal_paid',
      'news',
      fixed`Ushirika: ${amount} was sent from your wallet to your phone. Not you? Reset your password at once.`,
      fixed`Ushirika: ${amount} imetumwa kutoka pochi yako kwa simu yako. Si wewe? Badilisha nenosiri lako sasa.`,
    ),
  withdrawalReturned: (amount: Value) =>
    sms(
      'withdrawal_returned',
      'news',
      fixed`Ushirika: your withdrawal of ${amount} did not go through. The money is back in your wallet.`,
      fixed`Ushirika: utoaji wako wa ${amount} haukufaulu. Pesa zimerudi kwenye pochi yako.`,
    ),
  paymentReturned: (amount: Value, receipt: Value) =>
    sms(
      'payment_returned',
      'news',
      fixed`Ushirika: ${amount} that you paid us (M-Pesa ${receipt}) was sent back to your phone. If it did not come, write to us.`,
      fixed`Ushirika: ${amount} ulizotulipa (M-Pesa ${receipt}) zimerudishwa kwenye simu yako. Zisipofika, tuandikie.`,
    ),
};

const savings = {
  standingOrder: (state: 'waiting' | 'skipped' | 'ended', amount: Value, sacco: MaybeValue) => {
    const [english, kiswahili] = {
      waiting: [fixed`could not be paid today. We try again tomorrow.`, fixed`haikulipwa leo. Tutajaribu tena kesho.`],
      skipped: [fixed`is skipped this month.`, fixed`imerukwa mwezi huu.`],
      ended: [
        fixed`is ended, because you are leaving or have left.`,
        fixed`imekomeshwa, kwa kuwa unaondoka au umeondoka.`,
      ],
    }[state] as [SmsWords, SmsWords];
    return sms(
      `standing_order_${state}`,
      'news',
      fixed`Ushirika: your standing order of ${amount} for ${either(sacco, fixed`your sacco`)} ${within(english)} Sign in to see more.`,
      fixed`Ushirika: agizo lako la kuweka akiba ya ${amount} katika ${either(sacco, fixed`sacco yako`)} ${within(kiswahili)} Ingia uone zaidi.`,
    );
  },
};

const saccos = {
  saccoState: (state: 'active' | 'pending' | 'rejected' | 'suspended', sacco: MaybeValue) => {
    const [english, kiswahili] = {
      active: [
        fixed`is active: people can join it and buy its shares.`,
        fixed`inafanya kazi: watu wanaweza kujiunga nayo na kununua hisa zake.`,
      ],
      pending: [fixed`waits for its activation again.`, fixed`inasubiri tena kuanzishwa.`],
      rejected: [fixed`was not accepted. Sign in to read why.`, fixed`haikukubaliwa. Ingia usome sababu.`],
      suspended: [fixed`is suspended. Sign in to read why.`, fixed`imesimamishwa. Ingia usome sababu.`],
    }[state] as [SmsWords, SmsWords];
    return sms(
      `sacco_${state}`,
      'news',
      fixed`Ushirika: ${either(sacco, fixed`the sacco that you registered`)} ${within(english)}`,
      fixed`Ushirika: ${either(sacco, fixed`sacco uliyosajili`)} ${within(kiswahili)}`,
    );
  },
  exitRefunded: (sacco: MaybeValue, amount: Value) =>
    sms(
      'exit_refunded',
      'news',
      fixed`Ushirika: ${amount} of savings in ${either(sacco, fixed`your sacco`)} is back in your wallet. Sign in to see what is left to do.`,
      fixed`Ushirika: akiba ya ${amount} katika ${either(sacco, fixed`sacco yako`)} imerudi kwenye pochi yako. Ingia uone kilichobaki.`,
    ),
  exitCompleted: (sacco: MaybeValue) =>
    sms(
      'exit_completed',
      'news',
      fixed`Ushirika: you have left ${either(sacco, fixed`your sacco`)}.`,
      fixed`Ushirika: umeondoka ${either(sacco, fixed`kwenye sacco yako`)}.`,
    ),
  exitOverdue: (sacco: MaybeValue) =>
    sms(
      'exit_overdue',
      'news',
      fixed`Ushirika: your savings in ${either(sacco, fixed`your sacco`)} could not be paid back yet. Sign in to read why.`,
      fixed`Ushirika: akiba yako katika ${either(sacco, fixed`sacco yako`)} haijarudishwa bado. Ingia usome sababu.`,
    ),
};

interface Side {
  readonly shares: Value;
  readonly amount: Value;
}

const nounOf = ({ shares }: Side) => within(String(shares) === '1' ? fixed`share` : fixed`shares`);

function sidesOf(sold: Side | null, bought: Side | null): readonly [english: SmsWords, kiswahili: SmsWords] {
  const selling: [SmsWords, SmsWords][] = sold
    ? [
        [
          fixed`${sold.shares} ${nounOf(sold)} sold for ${sold.amount}`,
          fixed`umeuza hisa ${sold.shares} kwa ${sold.amount}`,
        ],
      ]
    : [];
  const buying: [SmsWords, SmsWords][] = bought
    ? [
        [
          fixed`${bought.shares} ${nounOf(bought)} bought for ${bought.amount}`,
          fixed`umenunua hisa ${bought.shares} kwa ${bought.amount}`,
        ],
      ]
    : [];
  const [one = [fixed``, fixed``], other] = [...selling, ...buying];
  if (!other) return one;
  return [fixed`${within(one[0])}, ${within(other[0])}`, fixed`${within(one[1])}, ${within(other[1])}`];
}

const market = {
  /** What a member traded in a quarter of an hour; `orders` null: by one order. */
  sharesTraded: (traded: {
    readonly orders: MaybeValue;
    readonly sacco: MaybeValue;
    readonly sold: Side | null;
    readonly bought: Side | null;
  }) => {
    const { orders, sold, bought } = traded;
    const [english, kiswahili] = sidesOf(sold, bought);
    const sacco = either(traded.sacco, fixed`your saccos`);
    const saccoYa = either(traded.sacco, fixed`sacco zako`);
    return sms(
      'shares_traded',
      'news',
      orders
        ? fixed`Ushirika: ${orders} of your orders in ${sacco} were filled: ${within(english)}.`
        : fixed`Ushirika: your order in ${sacco} was filled: ${within(english)}.`,
      orders
        ? fixed`Ushirika: maagizo yako ${orders} katika ${saccoYa} yametimizwa: ${within(kiswahili)}.`
        : fixed`Ushirika: agizo lako katika ${saccoYa} limetimizwa: ${within(kiswahili)}.`,
    );
  },
  priceAlert: (sacco: MaybeValue, offered: Value, wanted: Value) =>
    sms(
      'price_alert',
      'news',
      fixed`Ushirika: shares of ${either(sacco, fixed`your sacco`)} are offered at ${offered}. You asked to be told at ${wanted} or below.`,
      fixed`Ushirika: hisa za ${either(sacco, fixed`sacco yako`)} zinauzwa kwa ${offered}. Uliomba kuarifiwa kwa ${wanted} au chini.`,
    ),
};

/**
 * Every SMS that the platform can send: a new one is written here, with values of sms-values.ts, or it does not compile.
 */
export const smsTexts = { ...codes, ...security, ...referrals, ...money, ...savings, ...saccos, ...market };
