/** For sorting by a text in one order on every machine: what has the same text stays in the order in which it is. */
export function by<T>(textOf: (one: T) => string): (one: T, other: T) => number {
  return (one, other) => Number(textOf(one) > textOf(other)) - Number(textOf(one) < textOf(other));
}
