import type { Route } from '@ushirika/contract/route';
import type { z } from 'zod';
import { definitionOf, limitsOf } from './derive.ts';

type Schema = z.ZodType;

/** Formats that are as long as they are. */
const OF_ONE_LENGTH = new Set(['uuid', 'guid', 'date']);
/** Far past what any number of the product may be, on both sides. */
const OUT_OF_ALL_BOUNDS = [1e300, -1e300, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER];

/**
 * The texts and lists without a greatest length and the numbers without bounds that a route takes. A provider's body is
 * not ours to refuse: it is stored with a bound of its own, and 64 KB is the most that comes in at all.
 */
export function unbounded(route: Route): string[] {
  const parts = {
    params: route.params,
    query: route.query,
    ...(route.caller === 'provider' ? {} : { body: route.body }),
  };
  return Object.entries(parts).flatMap(([part, schema]) => looseIn(schema, `${route.name}.${part}`));
}

function looseIn(schema: Schema, path: string): string[] {
  const definition = definitionOf(schema);
  const { type, shape, element, innerType, options, valueType } = definition;
  if (type === 'object')
    return Object.entries(shape ?? {}).flatMap(([name, field]) => looseIn(field, `${path}.${name}`));
  if (type === 'array') {
    const own = limitsOf(definition).most === undefined ? [`${path} is a list of any length`] : [];
    return [...own, ...looseIn(element as Schema, `${path}[]`)];
  }
  if (type === 'record') return [`${path} has any number of fields`, ...looseIn(valueType as Schema, `${path}{}`)];
  return [...looseText(schema, path), ...looseNumber(schema, path)].concat(
    innerType && ['object', 'array', 'record'].includes(definitionOf(innerType).type) ? looseIn(innerType, path) : [],
    (options ?? [])
      .filter((option) => ['object', 'array'].includes(definitionOf(option).type))
      .flatMap((option) => looseIn(option, path)),
  );
}

/** Every text below wrappers, unions and pipes has a greatest length of its own, so that no more is read at all. */
function looseText(schema: Schema, path: string): string[] {
  const definition = definitionOf(schema);
  const { type, format, innerType, options } = definition;
  if (type === 'pipe') return looseText(definition.in as Schema, path);
  if (innerType) return looseText(innerType, path);
  if (options) return options.flatMap((option) => looseText(option, path));
  if (type === 'unknown' || type === 'any') return [`${path} is anything`];
  const isLoose = type === 'string' && !OF_ONE_LENGTH.has(format ?? '') && limitsOf(definition).most === undefined;
  return isLoose ? [`${path} is a text of any length`] : [];
}

/** A number's bounds may stand in a transform, so that the schema is asked. */
function looseNumber(schema: Schema, path: string): string[] {
  const taken = OUT_OF_ALL_BOUNDS.find((value) => schema.safeParse(value).success);
  return taken === undefined ? [] : [`${path} takes the number ${taken}`];
}
