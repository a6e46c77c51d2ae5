import type { Guard } from '../../server/faults.ts';
import type { Scene } from './scene.ts';

/** One abuse that somebody tried, told in at most 40 lines in the words of its people, by requests to the API alone. */
export interface Story {
  /** Kebab case; a control has the same name. */
  readonly name: string;
  /** What the abuser tries, as a sentence that a member understands. */
  readonly tells: string;
  /** How the control makes it happen again: a rule left out, or a change by the database owner's hand. */
  readonly without: Guard | ((scene: Scene) => Promise<void>);
  /** What the control breaks, as the end of "it goes red when …". */
  readonly breaks: string;
  /** What the first thing that must not have happened then reads like. */
  readonly expected: RegExp;
  play(scene: Scene): Promise<void>;
}
