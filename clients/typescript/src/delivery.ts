/** How an answer arrives: late, in pieces, or not whole. */

import { type Answer, broken } from "./native.js";

/** The number of pieces of a slow body. */
const SLOW_PIECES = 10;

/** The body as it arrives. Throws where a fault rule breaks the connection. */
export async function* pieces(
  { body, mishap, mishapMs }: Answer,
  signal?: AbortSignal,
  slowly = (ms: number) => wait(ms, signal),
): AsyncGenerator<Buffer, void> {
  const size = mishap === "slow" ? Math.ceil(body.length / SLOW_PIECES) : body.length;
  for (let from = 0; from < body.length; from += size) {
    if (mishap === "slow") await slowly(mishapMs / SLOW_PIECES);
    yield body.subarray(from, from + size);
  }
  if (mishap === "torn") throw broken();
}

/** Waits for a timer, which fake timers move. Throws the reason if the signal is aborted meanwhile. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
