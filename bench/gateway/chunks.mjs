import { setTimeout as sleep } from 'node:timers/promises';

import { inTurns } from '../engine/in-turns.mjs';
import { median } from '../harness/statistics.mjs';
import { PLANS, textOf } from './answers.mjs';
import { Caller } from './caller.mjs';
import { timed } from './cpu-clock.mjs';
import { textOfStream } from './stream-text.mjs';
import { warmUp } from './warm-up.mjs';
import { GatewayWorld, OTHER } from './world.mjs';

const STREAMS = 50;
/** Most of Hone's processor time per chunk, relative to each peer's. */
const LIMIT_RATIOS = { 'bare proxy': 1.2, [OTHER]: 1.05 };

/** Processor time per frame of streams whose tokens come in their own time, through Hone and through the bare proxy. */
export async function measureChunks(context) {
  const { options, progress, report } = context;
  progress.step('cost of a chunk: starting Hone and the bare proxy');
  const world = await GatewayWorld.of(context);
  const all = [await world.startHone(), await world.startOther(), await world.startBare()];
  const sides = all.filter((side) => side !== null);
  for (const side of sides) {
    await assertWhole(side);
    await warmUp(side, options);
  }
  const [rounds, repeats] = options.quick ? [1, 1] : [8, 4];
  const turns = Object.fromEntries(sides.map((side) => [side.name, () => turnOf(side, repeats)]));
  progress.step('cost of a chunk');
  const results = await inTurns(rounds, turns, (round) => progress.detail(`round ${round} of ${rounds}`));
  for (const { name } of sides.slice(1)) addRow(report, name, results);
  for (const side of sides) await side.stop();
}

function addRow(report, name, results) {
  const [value, peer] = [median(results.Hone), median(results[name])];
  const roundsOf = (side) => results[side].map((us) => us?.toFixed(1)).join(', ');
  const limit = LIMIT_RATIOS[name];
  const ratio = median(results.Hone.map((us, round) => us / results[name][round]));
  report.add({
    measure: `CPU per SSE chunk, ${STREAMS} streams, 5 ms apart`,
    value: Number.isFinite(value) ? value : null,
    unit: 'us',
    peer,
    peerName: name,
    ratio,
    target: `ratio <= ${limit}`,
    isMet: ratio <= limit,
    note: `rounds: Hone ${roundsOf('Hone')}; ${name} ${roundsOf(name)}`,
  });
}

/** Microseconds per frame. */
async function turnOf(side, repeats) {
  const request = side.stream('paced');
  const callers = await Caller.openAll(side.port, STREAMS);
  const { cpuUs } = await timed(side.pid, () =>
    Promise.all(
      callers.map(async (caller, index) => {
        // Spreads the streams, so that their tokens do not all arrive at the same moment.
        await sleep(index % PLANS.paced.paceMs);
        for (let repeat = 0; repeat < repeats; repeat++) {
          const { status, tail } = await caller.ask(request);
          if (status !== 200 || !tail.includes('[DONE]')) throw new Error(`${side.name}: status ${status}, ${tail}`);
        }
      }),
    ),
  );
  for (const caller of callers) caller.leave();
  return cpuUs / (STREAMS * repeats * PLANS.paced.tokens);
}

/** A proxy that loses text would be cheap: the text must arrive whole. */
async function assertWhole(side) {
  const [caller] = await Caller.openAll(side.port, 1);
  const chunks = [];
  await caller.ask(side.stream('paced'), (chunk) => chunks.push(chunk));
  caller.leave();
  const text = textOfStream(Buffer.concat(chunks));
  if (text !== textOf(PLANS.paced.tokens)) throw new Error(`${side.name} changed the text: ${text.slice(0, 200)}`);
}
