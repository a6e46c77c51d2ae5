import type postgres from 'postgres';

/** The same pool. `take` gets hold of each statement as it is made: of the parts of postgres.js's query that it names. */
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
