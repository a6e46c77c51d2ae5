import { testHarness } from '../support/test-harness.ts';
import { harness } from './uploads.harness.ts';

testHarness(harness);
