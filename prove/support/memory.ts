import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** What nobody needs any more is given back now. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** What this process has of the machine's memory, in bytes. */
const resident = () => process.memoryUsage().rss;

/** What the process has once its garbage is collected; from now on `peak` tells the most. */
export function cleared(): number {
  collectGarbage();
  try {
    // "Reset the peak resident set size to the current value", proc(5).
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Only Linux knows; `peak` then tells what there is.
  }
  return resident();
}

/**
 * The most that this process had since `cleared`, in bytes, by the kernel's own count: what a drawing takes for a moment is
 * given back before anybody could look.
 */
export function peak(): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return kilobytes ? Number(kilobytes) * 1024 : resident();
  } catch {
    return resident();
  }
}
