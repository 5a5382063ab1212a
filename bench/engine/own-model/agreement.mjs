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
/** Nats between the two likeliest tokens of an answer. */
const NEAR_TIE = 0.05;

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
  const peers = peer.answers.map((answer) => answer.map((id) => ({ id })));
  const { perplexity } = ours;
  const least = MIN_SAME * prompts.length;
  const { same, note } = compare(ours.answers, peers);
  const measure = `greedy answers, first ${TOKENS} tokens`;
  report.add({
    ...{ measure: `${measure}, and llama.cpp's`, value: same, unit: `of ${prompts.length} the same` },
    ...{ target: `>= ${least}`, isMet: same >= least, note },
  });
  // Both round activations to 8 bits, each in its way: what of a difference is whose shows beside neither.
  for (const [name, a, b] of [
    ["f32 arithmetic on the file's values, and ours", exact, ours.answers],
    ["f32 arithmetic on the file's values, and llama.cpp's", exact, peers],
  ]) {
    const { same: value, note } = compare(a, b);
    report.add({ measure: `${measure}, ${name}`, value, unit: `of ${prompts.length} the same`, note });
  }
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

/** Near ties count as the same. @returns `{ same, note }` */
function compare(answers, others) {
  const differences = answers.map((answer, index) => firstDifference(answer, others[index])).filter(Boolean);
  const ties = differences.filter(({ gap }) => gap < NEAR_TIE);
  const places = differences.map(({ at, gap }) => `token ${at}, ${gap.toFixed(3)} nat apart`);
  return {
    same: answers.length - differences.length + ties.length,
    note: `near ties among them: ${ties.length}; ${places.join('; ') || 'no difference'}`,
  };
}

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
