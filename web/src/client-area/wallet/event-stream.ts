/** One event of a stream of server-sent events. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events (WHATWG HTML 9.2.6) out of pieces of text, wherever the pieces are cut. Comments, ids and
 * `retry` are passed over: the reader decides by itself when to connect again.
 */
export function eventReader(): (piece: string) => StreamEvent[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).replace(/\r\n?/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => eventOf(block) ?? []);
  };
}

function eventOf(block: string): StreamEvent | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return data.length > 0 ? { event, data: data.join('\n') } : null;
}
