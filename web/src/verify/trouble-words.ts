import { say } from '../words/say.ts';
import type { Trouble } from './read-given.ts';

/** Reasons why something cannot be checked, and what to do instead. It accuses nobody: most people who see it gave the wrong file. */
export const troubleWords: Readonly<Record<Trouble, () => string>> = {
  empty: () => say('There is nothing in it. Choose another file.'),
  number: () => say('This is a receipt’s number. Open the movement in your wallet and save its proof.'),
  copied: () =>
    say(
      'These are the words of a receipt, which anybody can write. Open the movement in your wallet and save its proof.',
    ),
  plain_pdf: () =>
    say(
      'The PDF of a receipt cannot be checked here, only that of its proof. Open the movement in your wallet, press Proof, and on that page Save as PDF.',
    ),
  no_code: () =>
    say(
      'The picture of a receipt cannot be checked here, only that of its proof’s code. Open the movement in your wallet, press Proof, and on that page Save as PDF. Is it that code? Take it sharper.',
    ),
  no_picture: () => say('Your browser cannot open this picture. Save it as PNG or JPEG.'),
  no_reader: () => say('What reads pictures could not be loaded. Try again online, or use the file.'),
  cut_off: () => say('The code is cut off, or was changed on its way. Copy it whole, or use the file.'),
  unknown: () => say('This is nothing that can be checked here. Choose the file of a proof, or a picture of its code.'),
};
