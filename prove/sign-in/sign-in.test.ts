import { testHarness } from '../support/test-harness.ts';
import { harness } from './sign-in.harness.ts';

testHarness(harness);
