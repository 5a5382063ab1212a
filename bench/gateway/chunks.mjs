import { inTurns } from '../engine/in-turns.mjs';
import { median } from '../harness/statistics.mjs';
import { assertWhole, STREAMS, usPerChunk } from './paced-streams.mjs';
import { warmUp } from './warm-up.mjs';
import { GatewayWorld, OTHER } from './world.mjs';

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
    await assertWhole(side, side.stream('paced'));
    await warmUp(side, options);
  }
  const [rounds, repeats] = options.quick ? [1, 1] : [8, 4];
  const turns = Object.fromEntries(
    sides.map((side) => [side.name, () => usPerChunk(side, side.stream('paced'), repeats)]),
  );
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
