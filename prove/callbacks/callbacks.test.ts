import { testHarness } from '../support/test-harness.ts';
import { harness } from './callbacks.harness.ts';

testHarness(harness);
