import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { mean } from '../../harness/statistics.mjs';
import { LLAMA_CPP_PACKAGE, NO_LLAMA_CPP } from '../llama-peer.mjs';
import { aRequest, promptScores, serveFolder } from '../serving.mjs';
import { ownModel, proseIds, questionIds } from './model.mjs';

const SCRIPT = fileURLToPath(new URL('../llama-cpp/compare.mjs', import.meta.url));
const TOKENS = 16;
const MIN_SAME = 0.9;
const MAX_PERPLEXITY = 0.005;

/** Greedy answers and perplexity beside llama.cpp's on the same file. */
export async function measureAgreement(context) {
  const { progress, report } = context;
  if (!existsSync(LLAMA_CPP_PACKAGE))
    return report.add({ measure: 'greedy answers', value: null, unit: '', note: NO_LLAMA_CPP });
  progress.step('own model: greedy answers and perplexity');
  const { base, directory, file } = await ownModel(context);
  const prompts = questionIds(base);
  const textIds = await proseIds(base);
  const ours = await served(context, directory, {}, async (serving) => ({
    answers: await answersOf(serving, prompts),
    perplexity: Math.exp(-mean(await promptScores(serving, textIds))),
  }));
  const exact = await served(context, directory, { weights: 'f32' }, (serving) => answersOf(serving, prompts));
  const peer = await ofLlamaCpp(context, file, { prompts, newTokens: TOKENS, text: textIds });
  const measure = `greedy answers, first ${TOKENS} tokens`;
  const unit = `of ${prompts.length} the same`;
  const ofItself = peer.otherAnswers.map(({ name, answers }) => ({ name, places: differences(answers, peer.answers) }));
  // Of two tokens this near rounding decides: llama.cpp, too, takes one or the other by how it is told to compute.
  const nearTie = widest(ofItself.flatMap(({ places }) => places));
  for (const { name, places } of ofItself) {
    report.add({
      measure: `${measure}, llama.cpp's and its own, ${name}`,
      ...{ value: prompts.length - places.length, unit, note: listed(places) },
    });
  }
  const least = MIN_SAME * prompts.length;
  const places = differences(ours.answers, peer.answers);
  const far = places.filter(({ gap }) => gap > nearTie);
  report.add({
    ...{
      measure: `${measure}, and llama.cpp's`,
      value: prompts.length - far.length,
      unit: `${unit}, near ties excepted`,
    },
    ...{ target: `>= ${least}`, isMet: prompts.length - far.length >= least },
    note:
      `${prompts.length - places.length} to the last token, the others but ${far.length} until a near tie, ` +
      `at most the ${nearTie.toFixed(3)} nat within which llama.cpp answers otherwise than itself; ${listed(places)}`,
  });
  // Both round activations to 8 bits, each in its way: what of a difference is whose shows beside neither.
  for (const [name, others] of [
    ['ours', ours.answers],
    ["llama.cpp's", peer.answers],
  ]) {
    const found = differences(exact, others);
    report.add({
      measure: `${measure}, f32 arithmetic on the file's values, and ${name}`,
      ...{ value: prompts.length - found.length, unit, note: listed(found) },
    });
  }
  const { perplexity } = ours;
  report.add({
    ...{ measure: 'perplexity of a text', value: perplexity, unit: '', peer: peer.perplexity, peerName: 'llama.cpp' },
    target: 'within 0.5 %',
    isMet: Math.abs(perplexity / peer.perplexity - 1) <= MAX_PERPLEXITY,
    note: `${((perplexity / peer.perplexity - 1) * 100).toFixed(3)} %, ${textIds.length} tokens`,
  });
}

/** What `ask` is answered by an engine with these settings. */
async function served(context, directory, settings, ask) {
  const serving = await serveFolder(directory, settings);
  const close = context.cleanup.add(() => serving.engine.close());
  const found = await ask(serving);
  await close();
  return found;
}

async function answersOf(serving, prompts) {
  const answers = [];
  for (const prompt of prompts) answers.push(await greedy(serving, prompt));
  return answers;
}

/** Where answers part: the token, and how much likelier than its next one it was to the first of the two. */
function differences(answers, others) {
  return answers.map((answer, index) => firstDifference(answer, others[index])).filter(Boolean);
}

const widest = (places) => Math.max(0, ...places.map(({ gap }) => gap));

const listed = (places) =>
  places.map(({ at, gap }) => `token ${at}, ${gap.toFixed(3)} nat apart`).join('; ') || 'no difference';

/** Tokens of an answer, each with the distance of the likeliest to the next one. */
async function greedy({ engine, base }, promptIds) {
  const tokens = [];
  const request = { ...aRequest(promptIds, TOKENS), topLogProbabilities: 2 };
  for await (const event of engine.generate({ base, checkpoint: null }, request)) {
    if (event.kind !== 'text') continue;
    for (const [index, id] of event.ids.entries()) {
      const [first, second] = event.logProbabilities[index].top;
      tokens.push({ id, gap: first.logProbability - second.logProbability });
    }
  }
  return tokens;
}

function firstDifference(answer, other) {
  const at = answer.findIndex(({ id }, index) => id !== other[index].id);
  return at < 0 ? null : { at, gap: answer[at].gap };
}

async function ofLlamaCpp(context, file, asked) {
  const child = spawn(process.execPath, [SCRIPT, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  context.cleanup.add(() => child.kill('SIGKILL'));
  child.stdin.end(JSON.stringify(asked));
  return JSON.parse(await text(child.stdout));
}
