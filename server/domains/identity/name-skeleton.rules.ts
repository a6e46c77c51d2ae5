import unhomoglyph from 'unhomoglyph';

/** What no reader goes by: blanks, signs and accents. */
const PASSED_OVER = /[^\p{L}\p{M}\p{Nd}]|\p{Script=Inherited}/gu;

/**
 * What is left of a name where everything is taken away by which two names that look alike can differ: two names with one
 * skeleton are taken for each other. By Unicode Technical Standard 39, section 4, with case, blanks, signs and accents
 * left out, and a few pairs that only this product minds. Kept in rows, never shown.
 */
export function nameSkeleton(name: string): string {
  // Once before the case is folded and once after: capitals look like other letters than small ones do.
  const shapes = (text: string) => unhomoglyph(text.normalize('NFD')).toLowerCase();
  const letters = shapes(shapes(name.normalize('NFKC')))
    .normalize('NFD')
    .replace(PASSED_OVER, '');
  // A capital I looks like a small L, and that is what the standard makes of it; of a small I it makes nothing.
  return letters.replaceAll('i', 'l').replaceAll('vv', 'w').replaceAll('5', 's').normalize('NFC');
}

/** Words that say what kind of company a sacco is. */
const LEGAL_WORDS = [
  ...['Sacco', 'Saccos', 'Society', 'Ltd', 'Limited', 'Co-operative', 'Co-operatives', 'Coop'],
  ...['Savings and Credit', 'Savings & Credit'],
];
const LEGAL_END = new RegExp(`(${LEGAL_WORDS.map(lettersOnce).join('|')})+$`);

/**
 * The skeleton of a sacco's or a pool's name. Two more differences are taken away: letters that stand twice, and legal words at the end.
 * A name of legal words alone keeps them.
 */
export function skeletonOfGroup(name: string): string {
  const skeleton = lettersOnce(name);
  return skeleton.replace(LEGAL_END, '') || skeleton;
}

function lettersOnce(name: string): string {
  return nameSkeleton(
    name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/(?<=\p{L})0/gu, 'o')
      .replace(/(\p{L})\1+/gu, '$1'),
  );
}

/** The words of a name, each as its skeleton. */
export function wordSkeletons(name: string): string[] {
  return name
    .split(/[\s-]+/u)
    .map(nameSkeleton)
    .filter(Boolean);
}
