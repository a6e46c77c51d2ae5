import { PASSWORD } from '../../support/product.ts';
import type { Story } from '../story.ts';

const PAGES = [
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=cut',
  'application/json',
] as const;

/** What a stranger does to keep an owner out. */
export const signInStories: readonly Story[] = [
  {
    name: 'cross-site-form-locks-the-owner-out',
    tells:
      'a page that the owner visits sends wrong passwords in the background, until the owner’s own network is locked',
    without: 'own_pages_only',
    breaks: 'the page of another site may post to sign-in',
    expected: /the owner at home was answered 429/,
    async play({ person, ask, mustNot }) {
      const owner = await person('Owner');
      const wrong = { id_number: owner.idNumber, password: 'Wrong#2026', user_type: 'client' };
      const body = { ...wrong, password: PASSWORD };
      const { address } = owner;
      for (const type of PAGES) {
        const headers = { origin: 'https://news.example', 'content-type': type };
        const isForm = type.endsWith('urlencoded');
        const raw = isForm ? new URLSearchParams(wrong).toString() : JSON.stringify(wrong);
        for (let time = 0; time < 10; time += 1)
          await ask(null, 'POST', '/auth/login/', undefined, { raw, headers, address });
      }
      const { status } = await ask(null, 'POST', '/auth/login/', body, { address });
      mustNot(status !== 200, `after wrong passwords from a foreign page the owner at home was answered ${status}`);
    },
  },
];
