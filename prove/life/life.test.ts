import { testHarness } from '../support/test-harness.ts';
import { harness } from './life.harness.ts';

testHarness(harness);
