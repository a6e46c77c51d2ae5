import { Refusal } from '@ushirika/contract/refusal';
import { isGuarded } from '#faults';
import { isReached, notReachedSentence, type SmsCountries } from '../notifications/sms-countries.ts';

/** @throws Refusal `validation_failed`, with its sentence on the phone's field, for a number that no SMS of ours goes to */
export function refuseUnreachedPhone(phone: string, countries: SmsCountries): void {
  if (isReached(phone, countries) || !isGuarded('sms_countries')) return;
  const message = notReachedSentence(countries);
  throw new Refusal('validation_failed', { message, errors: { phone_number: [message] } });
}
