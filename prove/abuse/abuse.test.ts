import { testHarness } from '../support/test-harness.ts';
import { harness } from './abuse.harness.ts';

testHarness(harness);
