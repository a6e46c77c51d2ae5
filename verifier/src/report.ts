/** The result of a step: checked and right, checked and wrong, or not checked. */
export type Verdict = 'passed' | 'failed' | 'open';

const WORDS: Record<Verdict, string> = { passed: 'PASSED     ', failed: 'FAILED     ', open: 'NOT CHECKED' };

/** One line for each step: its result in capitals, the step in words, and why where it did not pass. */
export const line = (verdict: Verdict, words: string, reason?: string): string =>
  `${WORDS[verdict]}  ${words}${reason ? ` ${reason}` : ''}`;

/** 0: all that is needed passed. 1: something is wrong. 2: nothing is wrong, and something needed could not be checked. */
export type ExitCode = 0 | 1 | 2;

export function exitCodeOf(needed: readonly Verdict[], others: readonly Verdict[] = []): ExitCode {
  if ([...needed, ...others].includes('failed')) return 1;
  return needed.includes('open') ? 2 : 0;
}

/** The end of a command: its lines, and the code that it exits with. */
export interface Found {
  readonly lines: readonly string[];
  readonly code: ExitCode;
}

/** The code of several parts: 1 where one of them is wrong, and 2 where one of them could not be checked. */
export const codeOfAll = (codes: readonly ExitCode[]): ExitCode => (codes.includes(1) ? 1 : codes.includes(2) ? 2 : 0);
