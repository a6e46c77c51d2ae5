import type { SmsValue } from '../notifications/sms-values.ts';
import { fixed, sms } from '../notifications/sms-words.ts';

/** What signs, and what costs money when it is missed. The name of a pool is its creator's own words: it stands in no SMS. */
export const poolsSms = {
  contractCode: (code: SmsValue, guaranteed: SmsValue, fee: SmsValue, own: SmsValue) =>
    sms(
      'pool_contract_code',
      'claim_code',
      fixed`Ushirika: ${code} signs for a pool guarantee of ${guaranteed}: fee ${fee}, ${own} of your own locked. If you do not repay, you lose your pool money and owe the pool. Give this code to nobody.`,
      fixed`Ushirika: ${code} inatia sahihi dhamana ya kikundi ya ${guaranteed}: ada ${fee}, ${own} zako zimefungwa. Usipolipa, unapoteza pesa zako za kikundi na utadaiwa na kikundi. Usimpe mtu yeyote msimbo huu.`,
    ),
  withdrawn: (amount: SmsValue) =>
    sms(
      'pool_withdrawn',
      'news',
      fixed`Ushirika: ${amount} from your guarantor pool is in your wallet.`,
      fixed`Ushirika: ${amount} kutoka kikundi chako cha udhamini ziko kwenye pochi yako.`,
    ),
  demandBorrower: (outstanding: SmsValue) =>
    sms(
      'pool_demand_borrower',
      'news',
      fixed`Ushirika: your guaranteed loan is late. If you do not pay, your guarantor pool pays up to ${outstanding} and you owe it. Sign in to pay now.`,
      fixed`Ushirika: mkopo wako uliodhaminiwa umechelewa. Usipolipa, kikundi cha udhamini kitalipa hadi ${outstanding} na utadaiwa nacho. Ingia ulipe sasa.`,
    ),
  demandBacker: (locked: SmsValue) =>
    sms(
      'pool_demand_backer',
      'news',
      fixed`Ushirika: a loan that your guarantor pool guarantees is late. You can lose at most ${locked}. Sign in to read more.`,
      fixed`Ushirika: mkopo uliodhaminiwa na kikundi chako umechelewa. Unaweza kupoteza hadi ${locked}. Ingia usome zaidi.`,
    ),
  lost: (amount: SmsValue) =>
    sms(
      'pool_called_backer',
      'security',
      fixed`Ushirika: your guarantor pool paid for a borrower, and ${amount} of it was yours. What the borrower pays back comes to you first.`,
      fixed`Ushirika: kikundi chako cha udhamini kimelipia mkopaji, na ${amount} zilikuwa zako. Atakachorudisha mkopaji kitakuja kwako kwanza.`,
    ),
  calledBorrower: (paid: SmsValue, claim: SmsValue) =>
    sms(
      'pool_called_borrower',
      'security',
      fixed`Ushirika: your guarantor pool paid ${paid} of your loan. You owe the pool ${claim}. Sign in to pay it back.`,
      fixed`Ushirika: kikundi cha udhamini kimelipa ${paid} za mkopo wako. Unadaiwa na kikundi ${claim}. Ingia uzirudishe.`,
    ),
};
