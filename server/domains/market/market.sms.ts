import type { SmsValue } from '../notifications/sms-values.ts';
import { either, fixed, type SmsWords, sms, within } from '../notifications/sms-words.ts';

interface Side {
  readonly shares: SmsValue;
  readonly amount: SmsValue;
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

export const marketSms = {
  /** What a member traded in a quarter of an hour; `orders` is null for a single order. */
  sharesTraded: (traded: {
    readonly orders: SmsValue | null;
    readonly sacco: SmsValue | null;
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
  priceAlert: (sacco: SmsValue | null, offered: SmsValue, wanted: SmsValue) =>
    sms(
      'price_alert',
      'news',
      fixed`Ushirika: shares of ${either(sacco, fixed`your sacco`)} are offered at ${offered}. You asked to be told at ${wanted} or below.`,
      fixed`Ushirika: hisa za ${either(sacco, fixed`sacco yako`)} zinauzwa kwa ${offered}. Uliomba kuarifiwa kwa ${wanted} au chini.`,
    ),
};
