import { expect, test } from 'vitest';
import { UnfitSignature } from './kept-papers.ts';
import { explainSecret } from './secret-vote.tsx';

test('a signature that does not fit is no fault of the browser, and the member is told so', () => {
  expect(explainSecret(new UnfitSignature()).toasts[0]).toContain('does not fit this vote. You have not voted.');
  expect(explainSecret(new DOMException('The quota is used up.')).toasts[0]).toContain('cannot keep a ballot paper');
});
