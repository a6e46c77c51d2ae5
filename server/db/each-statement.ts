import type postgres from 'postgres';

/**
 * Wraps a pool so that `take` is called with each query when it is made. `Statement` names the fields of the
 * postgres.js query that it uses.
 */
export function eachStatement<Statement>(sql: postgres.Sql, take: (statement: Statement) => void): postgres.Sql {
  const taken = <T>(made: T): T => {
    if (made instanceof Promise) take(made as unknown as Statement);
    return made;
  };
  return new Proxy(sql, {
    apply: (target, self, parameters) => taken(Reflect.apply(target, self, parameters)),
    get: (target, name) => {
      const value = Reflect.get(target, name);
      return name === 'unsafe' ? (...parameters: unknown[]) => taken(Reflect.apply(value, target, parameters)) : value;
    },
  });
}
