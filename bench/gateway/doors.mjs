import { inTurns } from '../engine/in-turns.mjs';
import { median } from '../harness/statistics.mjs';
import { assertWhole, STREAMS, usPerChunk } from './paced-streams.mjs';
import { warmUp } from './warm-up.mjs';
import { GatewayWorld } from './world.mjs';

const CHAT = 'chat completions';
const LIMIT_RATIO = 1.3;

/** Name -> door, and the model that is asked: of an upstream that speaks chat completions alone, or the door itself. */
const WAYS = {
  'responses, translated': { door: 'responses', model: 'paced' },
  'messages, translated': { door: 'messages', model: 'paced' },
  'responses, native': { door: 'responses', model: 'paced-responses' },
  'messages, native': { door: 'messages', model: 'paced-messages' },
};

/** What LiteLLM does as well, of the same upstream. It passes responses on to a server of this kind. */
const PEER_WAYS = {
  [CHAT]: { door: 'chat', model: 'paced' },
  'messages, translated': WAYS['messages, translated'],
  'responses, native': WAYS['responses, native'],
};
/** One core makes about 700 of its chunks a second. */
const PEER_STREAMS = 4;

/** Processor time per token of streams through each door, beside chat completions through the same gateway. */
export async function measureDoors(context) {
  const { options, progress, report } = context;
  progress.step('cost of a chunk through each door: starting Hone and LiteLLM');
  const world = await GatewayWorld.of(context);
  const hone = await world.startHone();
  const ways = { [CHAT]: { door: 'chat', request: hone.stream('paced') } };
  for (const [name, { door, model }] of Object.entries(WAYS)) {
    ways[name] = { door, request: hone.streamThrough(door, model) };
  }
  for (const { door, request } of Object.values(ways)) {
    await assertWhole(hone, request, door);
    await warmUp(hone, { quick: true }, { request, count: 3_000 });
  }
  const [rounds, repeats] = options.quick ? [1, 1] : [6, 3];
  const turns = Object.fromEntries(
    Object.entries(ways).map(([name, { door, request }]) => [name, () => usPerChunk(hone, request, repeats, door)]),
  );
  progress.step('cost of a chunk through each door');
  const results = await inTurns(rounds, turns, (round) => progress.detail(`round ${round} of ${rounds}`));
  for (const name of Object.keys(WAYS)) addRow(report, name, results);
  await hone.stop();
  await beside(context, await world.startLiteLlm(['paced', 'paced-responses']), results);
}

/** LiteLLM's figures by themselves: it takes so much longer that it would not keep up with as many streams. */
async function beside({ options, progress, report }, litellm, results) {
  if (litellm === null) return;
  for (const [name, { door, model }] of Object.entries(PEER_WAYS)) {
    progress.step(`LiteLLM: ${name}`);
    const request = door === 'chat' ? litellm.stream(model) : litellm.streamThrough(door, model);
    await assertWhole(litellm, request, door);
    const rounds = [];
    for (let round = 0; round <= (options.quick ? 1 : 3); round++) {
      rounds.push(await usPerChunk(litellm, request, 1, door, PEER_STREAMS));
    }
    const us = median(rounds.slice(1));
    const ours = median(results[name]);
    report.add({
      measure: `CPU per token, ${name}`,
      ...{ value: ours, unit: 'us', peer: us, peerName: 'LiteLLM', ratio: ours / us },
      note: `LiteLLM, ${PEER_STREAMS} streams: ${rounds.map((each) => each.toFixed(0)).join(', ')}, the first does not count`,
    });
  }
  await litellm.stop();
}

function addRow(report, name, results) {
  const ratio = median(results[name].map((us, round) => us / results[CHAT][round]));
  report.add({
    measure: `CPU per token, ${STREAMS} streams, ${name}`,
    ...{ value: median(results[name]), unit: 'us', peer: median(results[CHAT]), peerName: CHAT, ratio },
    ...{ target: `ratio <= ${LIMIT_RATIO}`, isMet: ratio <= LIMIT_RATIO },
    note: `rounds: ${results[name].map((us) => us.toFixed(1)).join(', ')}`,
  });
}
