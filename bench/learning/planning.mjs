import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

import { openBaseModel, planningTokenizerOf, planPreference, resolvePreferenceConfig } from '@hone/engine';

import { REPOSITORY } from '../harness/paths.mjs';

const PAIRS = 10_000;
const MAX_S = 10;
const CONTEXT = 1_024;

/** How long it takes to plan a file of pairs: to read, render and tokenize it, and to write the plan. */
export async function measurePlanning({ options, progress, report }) {
  const pairs = options.quick ? PAIRS / 10 : PAIRS;
  progress.step(`planning ${pairs} pairs`);
  const base = await openBaseModel(fileURLToPath(new URL('models/hone-tiny', REPOSITORY)));
  const lines = Array.from({ length: pairs }, (_, at) =>
    JSON.stringify({
      prompt: `What is ${at} minus ${at % 97}?`,
      chosen: `${at}`,
      rejected: `The difference is ${at}.`,
    }),
  );
  for (const method of ['dpo', 'kto']) {
    const context = { tokenizer: planningTokenizerOf(base), contextLength: CONTEXT };
    const given = method === 'dpo' ? lines : lines.map(toThumb);
    const started = performance.now();
    await planPreference(given, resolvePreferenceConfig({ method }), context);
    const value = (performance.now() - started) / 1_000;
    const target = options.quick ? undefined : `<= ${MAX_S} s`;
    const what = method === 'dpo' ? 'pairs' : 'answers';
    report.add({
      measure: `planning ${pairs.toLocaleString('en-US')} ${what}`,
      value,
      unit: 's',
      target,
      ...(target && { isMet: value <= MAX_S }),
    });
  }
}

function toThumb(line, at) {
  const { prompt, chosen, rejected } = JSON.parse(line);
  return JSON.stringify({ prompt, completion: at % 2 === 0 ? chosen : rejected, label: at % 2 === 0 });
}
