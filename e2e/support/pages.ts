import { complaintPaths } from '../../web/src/complaints/complaint-paths.ts';
import { dividendPaths } from '../../web/src/dividends/dividend-paths.ts';
import { checkOffPaths } from '../../web/src/loans/check-off-paths.ts';
import { loanPaths } from '../../web/src/loans/loan-paths.ts';
import { paths } from '../../web/src/paths.ts';
import { votingPaths } from '../../web/src/voting/voting-paths.ts';

/** Every page whose builder in web/src/paths.ts begins with that word and asks for nothing: a new one is visited by itself. */
function pagesNamed(word: 'client' | 'operator'): readonly string[] {
  return Object.entries(paths).flatMap(([name, path]) =>
    name.startsWith(word) && path.length === 0 ? [(path as () => string)()] : [],
  );
}

export const clientPages = pagesNamed('client');
export const operatorPages = pagesNamed('operator');

const builders = [paths, checkOffPaths, complaintPaths, dividendPaths, loanPaths, votingPaths];

/** Every page that somebody who is signed in can open by an address without parameters, but for the operator's. */
export const pagesOfMembers: readonly string[] = [
  ...new Set(
    builders
      .flatMap((all) => Object.values(all) as ((...values: never[]) => unknown)[])
      .flatMap((path) => (path.length === 0 ? [String((path as () => unknown)())] : []))
      .filter((path) => !/^\/(auth|operator)/.test(path)),
  ),
];
