import { paths } from '../../web/src/paths.ts';

/** Every page whose builder in web/src/paths.ts begins with that word and asks for nothing: a new one is visited by itself. */
function pagesNamed(word: 'client' | 'operator'): readonly string[] {
  return Object.entries(paths).flatMap(([name, path]) =>
    name.startsWith(word) && path.length === 0 ? [(path as () => string)()] : [],
  );
}

export const clientPages = pagesNamed('client');
export const operatorPages = pagesNamed('operator');
