import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** For tests: what a person reads of something drawn, one blank between words. */
export function textOf(drawn: ReactElement): string {
  return renderToStaticMarkup(drawn)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
