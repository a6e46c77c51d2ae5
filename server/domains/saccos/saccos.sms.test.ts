import { OFFICES } from '@ushirika/contract/route';
import { codeValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { sample, testSms } from '../notifications/test-sms.ts';
import { saccosSms } from './saccos.sms.ts';

const all: Record<keyof typeof saccosSms, readonly Sms[]> = {
  officeCode: OFFICES.flatMap((office) => [
    saccosSms.officeCode(office, sample.sacco, codeValue('ABCD-2345-EFGH-6789')),
    saccosSms.officeCode(office, null, codeValue('ABCD-2345-EFGH-6789')),
  ]),
  saccoState: (['active', 'active_again', 'pending', 'rejected', 'suspended'] as const).flatMap((state) => [
    saccosSms.saccoState(state, sample.sacco),
    saccosSms.saccoState(state, null),
  ]),
};

testSms(all, ['officeCode']);
