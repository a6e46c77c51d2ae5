import { codeValue, countValue, phoneValue, supportPhoneValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { identitySms } from './identity.sms.ts';

const all: Record<keyof typeof identitySms, readonly Sms[]> = {
  resetCode: [identitySms.resetCode(sample.code)],
  phoneCode: [identitySms.phoneCode(codeValue('1234 5678'))],
  passwordReset: [identitySms.passwordReset()],
  passwordChanged: [identitySms.passwordChanged()],
  phoneChanged: [identitySms.phoneChanged(phoneValue('254712345678'))],
  phoneConfirmed: [identitySms.phoneConfirmed(phoneValue('254712345678'))],
  secondFactorOn: [identitySms.secondFactorOn()],
  secondFactorOff: [identitySms.secondFactorOff()],
  suspended: [identitySms.suspended(supportPhoneValue('254712345678')), identitySms.suspended(null)],
  suspensionUpheld: [identitySms.suspensionUpheld()],
  suspensionLifted: [identitySms.suspensionLifted()],
  recoveryCodeUsed: [identitySms.recoveryCodeUsed(countValue(9))],
};

testSms(all);
