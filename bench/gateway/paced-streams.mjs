import { setTimeout as sleep } from 'node:timers/promises';

import { PLANS, textOf } from './answers.mjs';
import { Caller } from './caller.mjs';
import { timed } from './cpu-clock.mjs';
import { textOfStream } from './stream-text.mjs';

export const STREAMS = 50;
/** Name of the event that ends a whole stream, by door. */
const ENDS = { chat: '[DONE]', responses: 'response.completed', messages: 'message_stop' };

/**
 * Processor time of a side per token of streams whose tokens come in their own time.
 *
 * @param {Buffer} request asks for the plan `paced` in some form
 * @param {keyof typeof ENDS} door which form the answer has
 * @returns {Promise<number>} microseconds
 */
export async function usPerChunk(side, request, repeats, door = 'chat', streams = STREAMS) {
  const callers = await Caller.openAll(side.port, streams);
  const { cpuUs } = await timed(side.pid, () =>
    Promise.all(
      callers.map(async (caller, index) => {
        // Spreads the streams, so that their tokens do not all arrive at the same moment.
        await sleep(index % PLANS.paced.paceMs);
        for (let repeat = 0; repeat < repeats; repeat++) {
          let last = Buffer.alloc(0);
          const { status } = await caller.ask(request, (chunk) => {
            if (chunk.includes(ENDS[door])) last = chunk;
          });
          if (status !== 200 || last.length === 0) throw new Error(`${side.name}: status ${status}, no end`);
        }
      }),
    ),
  );
  for (const caller of callers) caller.leave();
  return cpuUs / (streams * repeats * PLANS.paced.tokens);
}

/** A proxy that loses text would be cheap: the text must arrive whole. */
export async function assertWhole(side, request, door = 'chat') {
  const [caller] = await Caller.openAll(side.port, 1);
  const chunks = [];
  await caller.ask(request, (chunk) => chunks.push(chunk));
  caller.leave();
  const bytes = Buffer.concat(chunks);
  const text = textOfStream(bytes, door);
  if (text !== textOf(PLANS.paced.tokens)) {
    throw new Error(
      `${side.name} changed the text of ${door}: ${text.slice(0, 200)}; ${bytes.toString().slice(0, 500)}`,
    );
  }
}
