import { testHarness } from '../support/test-harness.ts';
import { harness } from './tamper.harness.ts';

testHarness(harness);
