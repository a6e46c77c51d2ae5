import { type ComponentType, createContext, lazy, useState } from 'react';
import { say } from '../words/say.ts';

/** A part that is loaded when it is first drawn. */
export interface Later<Props> {
  readonly id: number;
  part: ComponentType<Props>;
  readonly attempt: () => ComponentType<Props>;
}

/** Said where a part, or a language, could not be loaded. */
export const notLoaded = () =>
  say('This could not be loaded. Look at your connection and try again; nothing was sent.');

/** Asks for the missing part once more. */
export const Again = createContext<() => void>(() => {});

const missing = () => import('./missing.tsx');

type PropsOf<Component> = Component extends (props: infer Props) => unknown ? Props : never;

/**
 * A part that is loaded when it is first drawn: `later(() => import(file), name)`, inside a `Suspense`. Without a network,
 * or where the file is gone, a sentence is in its place, in a dialog where the part closes; the rest of the page goes on.
 * @param orNothing where nobody would miss it, such as a link
 */
export function later<Module extends object, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  orNothing = false,
): ComponentType<PropsOf<Module[Name]>> {
  type Props = PropsOf<Module[Name]> & object;
  const one = loadedLater(load as unknown as () => Promise<Record<Name, ComponentType<Props>>>, name, orNothing);
  return ((props: Props) => <Part of={one} props={props} />) as ComponentType<PropsOf<Module[Name]>>;
}

let lastId = 0;

export function loadedLater<Props extends object, Name extends string>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  orNothing = false,
): Later<Props> {
  const attempt = (): ComponentType<Props> =>
    lazy(async () => {
      try {
        const loaded: ComponentType<Props> = (await load())[name];
        return { default: loaded };
      } catch {
        if (orNothing) return { default: () => null };
        const { Missing } = await missing();
        // Left, it is asked for anew when it is next drawn.
        const onLeft = () => {
          one.part = attempt();
        };
        return { default: (props: { onClose?: () => void }) => <Missing onLeft={onLeft} onClose={props.onClose} /> };
      }
    });
  lastId += 1;
  const one: Later<Props> = { id: lastId, part: attempt(), attempt };
  return one;
}

/** Draws the part; where it was missing, again asks for it. */
export function Part<Props extends object>({ of, props }: { of: Later<Props>; props: Props }) {
  const [Loaded, load] = useState(() => of.part);
  const again = () => {
    of.part = of.attempt();
    load(() => of.part);
  };
  return (
    <Again value={again}>
      <Loaded {...props} />
    </Again>
  );
}
