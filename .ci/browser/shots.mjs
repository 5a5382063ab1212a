/**
 * `npm run console:shots -- <folder>`: a picture of every view of the console, light and dark, wide and narrow, full and
 * empty, with data of a Hone of its own. For people to look at: nothing is compared.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Hone } from '@hone/client';
import { chromium } from 'playwright-core';

import { RunningHone, until } from '../running-hone.mjs';
import { findChromium } from './find-chromium.mjs';

const QUESTIONS = ['What is the opposite of hot?', 'repeat: cat', 'What is 9 minus 4?', 'reverse: tac', 'Who are you?'];
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } };
const SETTLED_MS = 1_200;

const [folder] = process.argv.slice(2);
const chromiumPath = findChromium();
if (folder === undefined || chromiumPath === null) {
  console.error(folder === undefined ? 'Usage: npm run console:shots -- <folder>' : 'Chromium is not there.');
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
const running = await RunningHone.start();
try {
  const hone = new Hone({ baseUrl: running.url, apiKey: running.key });
  const trace = await seed(hone);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark']) {
      const page = await (await browser.newContext({ viewport, colorScheme })).newPage();
      await page.goto(`${running.url}/console/`);
      await shoot(page, 'sign-in');
      const { path } = await hone.accounts.createSignInCode();
      await page.goto(running.url + path);
      await page.waitForURL(/\/console\/p\//);
      for (const [name, address] of Object.entries(viewsOf(trace))) {
        await page.goto(`${running.url}/console/p/local/${address}`);
        await shoot(page, name);
      }
      await page.context().close();

      async function shoot(target, name) {
        await sleep(SETTLED_MS);
        const file = join(resolve(folder), `${name}-${size}-${colorScheme}.png`);
        await target.screenshot({ path: file });
        console.log(file);
      }
    }
  await browser.close();
} finally {
  await running.remove();
}

function viewsOf({ root, chat, model, job }) {
  return {
    home: 'default',
    'home-empty': 'empty',
    calls: 'default/calls?depth=all',
    'calls-peek': `default/calls?call=${chat}`,
    'calls-empty': 'empty/calls',
    'calls-none-match': 'default/calls?op=nothing',
    trace: `default/calls/${root}`,
    'call-missing': 'default/calls/nothing',
    training: 'default/training',
    'training-empty': 'empty/training',
    job: `default/training/jobs/${job}`,
    model: `default/training/models/${model}`,
    playground: 'default/playground',
    'no-such-page': 'default/nothing',
  };
}

/** A model that was trained on examples. */
async function train(hone) {
  const place = { entity: 'local', project: 'default' };
  const { id: model } = await hone.training.createTrainableModel({ ...place, name: 'tutor', base_model: 'hone-tiny' });
  const messages = [
    { role: 'user', content: 'Who are you?' },
    { role: 'assistant', content: 'I am Ada, your tutor.' },
  ];
  const { url } = await hone.training.uploadArtifact(
    { ...place, name: 'tutor' },
    `${JSON.stringify({ messages })}\n`.repeat(300),
  );
  const { id: job } = await hone.training.createSftTrainingJob({ model_id: model, training_data_url: url });
  const updates = hone.training.followTrainingJob({ training_job_id: job });
  for await (const update of updates) if (update.event?.type === 'training_failed') throw new Error('The job failed.');
  await hone.training.putCheckpointAlias({ model_id: model, alias: 'production' }, { step: 1 });
  return { model, job };
}

/** Chats, some of them judged, and a trace of several levels. @returns ids of calls to look at */
async function seed(hone) {
  await hone.accounts.createProject({ entity: 'local', name: 'empty' });
  let chat = '';
  for (let round = 0; round < 4; round++)
    for (const content of QUESTIONS) {
      const messages = [{ role: 'user', content }];
      const answer = await hone.inference.createChatCompletion({ model: 'hone-tiny', messages, max_tokens: 24 });
      chat = answer.id.replace('chatcmpl-', '');
    }
  const project_id = 'local/default';
  for (const [feedback_type, payload] of [
    ['hone.reaction.1', { emoji: '👍' }],
    ['hone.note.1', { note: 'Short and right.' }],
  ])
    await hone.trace.createFeedback({ project_id, completion_id: `chatcmpl-${chat}`, feedback_type, payload });
  const begin = Date.now() - 5_000;
  const at = (ms) => new Date(begin + ms).toISOString();
  const call = (id, parent_id, from, to, more = {}) => ({
    ...{ id, op_name: id, trace_id: 'shots', parent_id, started_at: at(from), ended_at: at(to), attributes: {} },
    ...{ inputs: { question: 'How do I reset my password?' }, output: { documents: 3, score: 0.25 }, summary: {} },
    ...more,
  });
  const batch = [
    call('answer_question', null, 0, 2_400),
    call('search', 'answer_question', 50, 900),
    call('embed', 'search', 60, 300),
    call('rank', 'search', 310, 880, { exception: 'TimeoutError: the ranker did not answer within 500 ms' }),
    call('generate', 'answer_question', 920, 2_380),
  ];
  await hone.trace.completeProjectCalls({ entity: 'local', project: 'default' }, { batch });
  // Answers do not wait for their calls.
  await until(async () => (await hone.trace.readCall({ project_id, id: chat })).call !== null);
  return { root: 'answer_question', chat, ...(await train(hone)) };
}
