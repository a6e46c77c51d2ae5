import { testHarness } from '../support/test-harness.ts';
import { harness } from './lifecycle.harness.ts';

testHarness(harness);
