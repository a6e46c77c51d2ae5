import { parse } from '@messageformat/parser';

type Part = ReturnType<typeof parse>[number];

/** The arguments of an ICU text, those within its branches too. */
function argumentsIn(parts: readonly Part[]): string[] {
  const names = parts.flatMap((part): string[] => {
    if (part.type === 'argument' || part.type === 'function') return [part.arg];
    if (!('cases' in part)) return [];
    return [part.arg, ...part.cases.flatMap(({ tokens }) => argumentsIn(tokens as Part[]))];
  });
  return [...new Set(names)].sort();
}

export const argumentsOf = (text: string): string[] => argumentsIn(parse(text));

/** Words that stand in nearly every English sentence, and in no Swahili one. */
export const ENGLISH_WORDS =
  /\b(the|your|you|of|and|is|are|was|were|not|for|this|that|with|from|have|has|it|be|on|in|by|or|at|must|cannot|only|when|what|who|will|been)\b/i;
