/**
 * A gateway whose every call is told of: which one, and the `outcome` that its answer names (a closed list of words), so
 * that it can be counted. Answers and errors pass as they are.
 */
export function counted<Gateway extends object>(
  gateway: Gateway,
  tell: (call: string, outcome: string) => void,
): Gateway {
  return new Proxy(gateway, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...input: unknown[]) => {
        const answer: unknown = member.apply(target, input);
        if (answer instanceof Promise)
          answer.then(
            (value) => tell(String(name), outcomeOf(value)),
            () => tell(String(name), 'threw'),
          );
        return answer;
      };
    },
  });
}

function outcomeOf(value: unknown): string {
  const outcome = (value as { outcome?: unknown } | null | undefined)?.outcome;
  return typeof outcome === 'string' ? outcome : 'done';
}
