const DEFAULT = 'KE,UG,TZ,RW,ET,SS';

/** The countries to which this server sends SMS, by two letters; the setting stands in the page's head. */
export function smsCountries(): readonly string[] {
  const setting = document.querySelector<HTMLMetaElement>('meta[name="sms-countries"]')?.content ?? '';
  return (/^[A-Z]{2}(,[A-Z]{2})*$/.test(setting) ? setting : DEFAULT).split(',');
}
