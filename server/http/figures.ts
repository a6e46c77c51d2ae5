/** Upper bounds of the histogram's buckets, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx', 'gone'] as const;

/** Counts the answers of one route. Counting is a few additions, since it runs for every request. */
export class RouteFigures {
  readonly name: string;
  readonly byClass = new Float64Array(CLASSES.length);
  readonly buckets = new Float64Array(BUCKETS.length + 1);
  seconds = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** @param status the status of the answer; null when the caller disconnected before it */
  count(status: number | null, seconds: number): void {
    const index = status === null ? CLASSES.length - 1 : Math.min(4, Math.max(0, Math.floor(status / 100) - 1));
    this.byClass[index] = (this.byClass[index] ?? 0) + 1;
    this.seconds += seconds;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
  }
}

/**
 * A metric that is read when `/metrics` is requested. Its labels come from a closed list: never a person, id or path.
 */
export interface Reading {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

/** The metrics of a process, in Prometheus' text format. */
export class Figures {
  readonly #routes = new Map<string, RouteFigures>();
  readonly #counters = new Map<string, { help: string; values: Map<string, number> }>();
  readonly #readers: (() => readonly Reading[] | Promise<readonly Reading[]>)[] = [];

  route(name: string): RouteFigures {
    const known = this.#routes.get(name);
    if (known) return known;
    const made = new RouteFigures(name);
    this.#routes.set(name, made);
    return made;
  }

  /** Adds one to a counter of rare events, such as refusals or calls to M-Pesa. `labels` are its Prometheus labels. */
  count(name: string, help: string, labels: Readonly<Record<string, string>> = {}): void {
    const counter = this.#counters.get(name) ?? { help, values: new Map<string, number>() };
    this.#counters.set(name, counter);
    const key = labelled(labels);
    counter.values.set(key, (counter.values.get(key) ?? 0) + 1);
  }

  /** Adds a function that reads metrics each time `/metrics` is requested. */
  reads(reader: () => readonly Reading[] | Promise<readonly Reading[]>): void {
    this.#readers.push(reader);
  }

  async text(): Promise<string> {
    const readings = (await Promise.all(this.#readers.map((reader) => reader()))).flat();
    const lines = [...this.#routeLines()];
    for (const [name, { help, values }] of this.#counters) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`);
      for (const [labels, value] of values) lines.push(`${name}${labels} ${value}`);
    }
    for (const { name, help, type, values } of readings) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      for (const { labels = {}, value } of values) lines.push(`${name}${labelled(labels)} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }

  *#routeLines(): Generator<string> {
    yield '# HELP ushirika_http_requests_total Requests answered, by route and class of status.';
    yield '# TYPE ushirika_http_requests_total counter';
    for (const { name, byClass } of this.#routes.values()) {
      for (const [index, status] of CLASSES.entries()) {
        const count = byClass[index] ?? 0;
        if (count > 0) yield `ushirika_http_requests_total${labelled({ route: name, status })} ${count}`;
      }
    }
    const histogram = 'ushirika_http_request_duration_seconds';
    yield `# HELP ${histogram} From the end of a request's headers to the end of its answer.`;
    yield `# TYPE ${histogram} histogram`;
    for (const { name, buckets, seconds } of this.#routes.values()) {
      let sum = 0;
      for (const [index, count] of buckets.entries()) {
        sum += count;
        const le = index < BUCKETS.length ? String(BUCKETS[index]) : '+Inf';
        if (sum > 0 || le === '+Inf') yield `${histogram}_bucket${labelled({ route: name, le })} ${sum}`;
      }
      yield `${histogram}_sum${labelled({ route: name })} ${seconds}`;
      yield `${histogram}_count${labelled({ route: name })} ${sum}`;
    }
  }
}

function labelled(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replaceAll(/["\\\n]/g, '_')}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}
