import { Caller } from './caller.mjs';

const CONNECTIONS = 32;
const STREAMS = 6_000;

/**
 * Short streams before anything is counted: V8 compiles what is called often, and a measure that is made of a few long
 * streams would count its compiler. A gateway has seen more requests after a minute.
 */
export async function warmUp(side, { quick }) {
  const callers = await Caller.openAll(side.port, CONNECTIONS);
  const request = side.stream('burst');
  let left = quick ? STREAMS / 10 : STREAMS;
  const work = async (caller) => {
    while (left-- > 0) await caller.ask(request);
  };
  await Promise.all(callers.map(work));
  for (const caller of callers) caller.leave();
}
