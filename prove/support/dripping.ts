import net from 'node:net';

/** Sends a beginning, then a byte now and then, until the server ends the line; what it said, and how long it bore it. */
export function dripped(port: number, beginning: string): Promise<{ heard: string; ms: number }> {
  const began = performance.now();
  let heard = '';
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(beginning));
    const timer = setInterval(() => socket.write('a'), 100);
    socket.on('data', (chunk) => {
      heard += String(chunk);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ heard, ms: performance.now() - began });
    });
  });
}
