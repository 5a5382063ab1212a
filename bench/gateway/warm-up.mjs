import { Caller } from './caller.mjs';

const CONNECTIONS = 32;
const STREAMS = 6_000;

/**
 * Warms up V8 before a measure, by default with short streams: one of a few long streams would count the compiler. A
 * gateway in use has served as many within a minute.
 */
export async function warmUp(side, { quick }, { request = side.stream('burst'), count = STREAMS } = {}) {
  const callers = await Caller.openAll(side.port, CONNECTIONS);
  let left = quick ? count / 10 : count;
  const work = async (caller) => {
    while (left-- > 0) await caller.ask(request);
  };
  await Promise.all(callers.map(work));
  for (const caller of callers) caller.leave();
}
