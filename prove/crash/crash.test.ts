import { testHarness } from '../support/test-harness.ts';
import { harness } from './crash.harness.ts';

testHarness(harness);
