#!/usr/bin/env node
import { runCommand } from './commands.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
process.exitCode = await runCommand(process.argv.slice(2), {
  say: (line) => console.log(line),
  stop: stop.signal,
  now: () => new Date(),
});
